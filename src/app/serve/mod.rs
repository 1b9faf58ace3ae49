//! The server of the workbench: a page in the browser, for this machine alone.
//!
//! One thread talks with all sockets ([`tokio`]). Each page has a thread of its own with a
//! [`Session`](houserule_desk::workbench::Session), and long runs have theirs. [`guard`] says who may ask, [`limits`] how much.

mod assets;
mod desk;
mod folder;
mod guard;
mod host;
mod limits;
mod page;
mod queue;
mod routes;
mod runs;
mod slots;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use self::folder::OpenedFolder;
use self::host::Host;
use houserule_loader::folders::DEEPEST;

/// Interval at which the server looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);

/// What a server opens.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The folder in which files can be opened and written.
    pub folder: PathBuf,
    /// List the files in folders in the folder, too.
    pub nested: bool,
    /// The path that pages open first, as they write it. `None` for a file of the folder, or a bundled game.
    pub start: Option<String>,
    /// The port; 0 for one that belongs to the folder, or else a free one.
    pub port: u16,
}

/// A server that has its address.
pub struct PageServer {
    listener: TcpListener,
    host: Arc<Host>,
    port: u16,
}

impl PageServer {
    /// Opens the folder and the port.
    pub fn bind(options: &ServerOptions) -> io::Result<PageServer> {
        let folder = OpenedFolder::open(&options.folder, if options.nested { DEEPEST } else { 0 })?;
        let bind = |port| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
        let listener = match options.port {
            // Browsers keep drafts by address, so a folder has the same one again if it can.
            0 => bind(folder.port()).or_else(|_| bind(0))?,
            port => bind(port)?,
        };
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let host = Arc::new(Host::new(folder, options.start.clone(), port)?);
        Ok(PageServer { listener, host, port })
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The word that a page must know.
    pub fn token(&self) -> &str {
        &self.host.token
    }

    /// The address of the page. Its last part, which browsers never send, is the token.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#{}", self.port, self.token())
    }

    /// Returns the server with another time for connections to be answered, and for pages to say their token.
    pub fn with_patience(mut self, patience: Duration) -> PageServer {
        if let Some(host) = Arc::get_mut(&mut self.host) {
            host.patience = patience;
        }
        self
    }

    /// Serves pages until `is_over` returns `true`.
    pub fn run(self, is_over: impl Fn() -> bool) -> io::Result<()> {
        let PageServer { listener, host, .. } = self;
        let watching = Arc::clone(&host);
        let watcher = std::thread::spawn(move || watching.watch());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let done = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::select! {
                () = accept(listener, &host) => {}
                () = ended(is_over) => {}
            }
            Ok(())
        });
        // Ends all pages.
        drop(runtime);
        host.end();
        let _ = watcher.join();
        done
    }
}

async fn ended(is_over: impl Fn() -> bool) {
    while !is_over() {
        sleep(LOOK).await;
    }
}

/// Accepts connections, each with a limited time unless it becomes a page.
async fn accept(listener: tokio::net::TcpListener, host: &Arc<Host>) {
    let slots = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let router = routes::router(Arc::clone(host));
    let patience = host.patience;
    while let Ok(slot) = Arc::clone(&slots).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            // No file handles are left, for example.
            sleep(LOOK).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _slot = slot;
            let mut http = http1::Builder::new();
            http.max_buf_size(limits::HEADERS);
            let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
            let _ = timeout(patience, connection).await;
        });
    }
}
