//! A server in a folder of its own, and a client that speaks to it through plain sockets.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use houserule::serve::{PageServer, ServerOptions};
use serde_json::{Value as Json, json};

/// Time after which a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server, and the folder that it has opened.
pub(super) struct Served {
    pub(super) folder: PathBuf,
    pub(super) port: u16,
    pub(super) token: String,
    server: Server,
}

/// Where a server runs.
enum Server {
    /// In this process, until the flag is set.
    Thread { ends: Arc<AtomicBool>, thread: Option<JoinHandle<()>> },
    /// In a process of its own.
    Process(Child),
}

/// A new folder called `name` with some files.
fn write_folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("houserule-workbench-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let folder = folder.canonicalize().expect("a folder");
    for (path, text) in files {
        std::fs::create_dir_all(folder.join(path).parent().expect("a folder")).expect("a folder");
        std::fs::write(folder.join(path), text).expect("a file");
    }
    folder
}

/// Starts the command that serves a folder.
pub(super) fn start(folder: &Path, port: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_houserule"))
        .arg("workbench")
        .arg(folder)
        .args(["--no-open", "--port", port])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command")
}

/// Reads the port and the token of a server that has started.
pub(super) fn read_address(out: &mut BufReader<ChildStdout>) -> (u16, String) {
    let mut first = String::new();
    out.read_line(&mut first).expect("a line");
    let address = first.strip_prefix("The workbench is at http://127.0.0.1:").expect("the address");
    let (port, token) = address.trim_end().split_once("/#").expect("a token");
    (port.parse().expect("a port"), token.to_owned())
}

impl Served {
    /// Serves a new folder called `name` with some files.
    pub(super) fn new(name: &str, files: &[(&str, &str)]) -> Served {
        Served::with(name, files, |server| server)
    }

    /// Serves a new folder, and gives connections that aren't pages this time.
    pub(super) fn with_patience(name: &str, files: &[(&str, &str)], patience: Duration) -> Served {
        Served::with(name, files, |server| server.with_patience(patience))
    }

    fn with(name: &str, files: &[(&str, &str)], set: impl FnOnce(PageServer) -> PageServer) -> Served {
        let folder = write_folder(name, files);
        let options = ServerOptions { folder: folder.clone(), nested: true, start: None, port: 0 };
        let server = set(PageServer::bind(&options).expect("a server"));
        let (port, token) = (server.port(), server.token().to_owned());
        let ends = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&ends);
        let thread = std::thread::spawn(move || {
            server.run(|| flag.load(Ordering::Relaxed)).expect("it serves");
        });
        Served { folder, port, token, server: Server::Thread { ends, thread: Some(thread) } }
    }

    /// Serves it from a process of its own, whose memory is its own too.
    pub(super) fn apart(name: &str, files: &[(&str, &str)]) -> Served {
        let folder = write_folder(name, files);
        let mut server = start(&folder, "0");
        let (port, token) = read_address(&mut BufReader::new(server.stdout.take().expect("its output")));
        Served { folder, port, token, server: Server::Process(server) }
    }

    /// The bytes of memory that the process of the server uses.
    #[cfg(target_os = "linux")]
    pub(super) fn memory(&self) -> usize {
        let process = match &self.server {
            Server::Thread { .. } => std::process::id(),
            Server::Process(child) => child.id(),
        };
        let pages = std::fs::read_to_string(format!("/proc/{process}/statm")).expect("statm");
        pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number") * 4096
    }

    /// Sends some bytes and returns all that comes back.
    pub(super) fn raw(&self, request: &str) -> String {
        let mut stream = self.connect();
        // What refuses a request may close before all of it is written.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = vec![];
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Asks for a path with the headers of the page and some more, and returns the whole answer.
    pub(super) fn get(&self, path: &str, more: &str) -> String {
        self.raw(&format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n{more}\r\n",
            self.port
        ))
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        stream
    }

    /// Opens a page's socket with some headers. Returns the head of the answer if it is refused.
    pub(super) fn socket(&self, headers: &str) -> Result<Socket, String> {
        let mut stream = self.connect();
        let head = format!(
            "GET /ws HTTP/1.1\r\n{headers}Connection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("a request");
        let mut answer = vec![];
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            if stream.read(&mut byte).unwrap_or(0) == 0 {
                break;
            }
            answer.push(byte[0]);
        }
        let answer = String::from_utf8_lossy(&answer).into_owned();
        if answer.starts_with("HTTP/1.1 101") {
            Ok(Socket { stream, writing: Arc::default() })
        } else {
            Err(answer)
        }
    }

    /// The headers of the page's own socket.
    pub(super) fn own(&self) -> String {
        format!("Host: 127.0.0.1:{0}\r\nOrigin: http://127.0.0.1:{0}\r\n", self.port)
    }

    /// A page that has been welcomed, and the welcome.
    pub(super) fn page(&self) -> (Socket, Json) {
        let mut socket = self.socket(&self.own()).expect("a socket");
        socket.ask(&json!({"ask": "hello", "token": self.token}));
        let welcome = socket.hear().expect("a welcome");
        assert_eq!(welcome["tell"], "welcome", "{welcome}");
        (socket, welcome)
    }

    pub(super) fn read(&self, path: impl AsRef<Path>) -> String {
        std::fs::read_to_string(self.folder.join(path)).expect("a file")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let ended = match &mut self.server {
            Server::Thread { ends, thread } => {
                ends.store(true, Ordering::Relaxed);
                matches!(thread.take().map(JoinHandle::join), Some(Ok(())))
            }
            Server::Process(child) => child.kill().is_ok() && child.wait().is_ok(),
        };
        let _ = std::fs::remove_dir_all(&self.folder);
        if !std::thread::panicking() {
            assert!(ended);
        }
    }
}

/// A websocket.
pub(super) struct Socket {
    pub(super) stream: TcpStream,
    /// Held while a frame is written: frames of two threads must not be mixed.
    writing: Arc<Mutex<()>>,
}

impl Socket {
    /// The same connection, for another thread.
    pub(super) fn share(&self) -> Socket {
        let stream = self.stream.try_clone().expect("a socket");
        Socket { stream, writing: Arc::clone(&self.writing) }
    }

    /// Sends a frame. Returns `false` if the server has closed the connection.
    pub(super) fn frame(&mut self, code: u8, bytes: &[u8]) -> bool {
        let mut frame = vec![0x80 | code];
        match bytes.len() {
            n @ 0..126 => frame.push(0x80 | n as u8),
            n @ 126..0x1_0000 => {
                frame.push(0x80 | 126);
                frame.extend((n as u16).to_be_bytes());
            }
            n => {
                frame.push(0x80 | 127);
                frame.extend((n as u64).to_be_bytes());
            }
        }
        // A mask of zeros changes nothing.
        frame.extend([0; 4]);
        frame.extend(bytes);
        let _writing = self.writing.lock().expect("no panic");
        self.stream.write_all(&frame).is_ok()
    }

    pub(super) fn ask(&mut self, ask: &Json) -> bool {
        self.frame(1, ask.to_string().as_bytes())
    }

    /// The next message. Returns `None` if the server has closed the connection.
    pub(super) fn hear(&mut self) -> Option<Json> {
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < PATIENCE, "the server says nothing but pings");
            let (code, bytes) = self.next_frame()?;
            match code {
                1 => return Some(serde_json::from_slice(&bytes).expect("JSON")),
                8 => return None,
                9 => drop(self.frame(10, &bytes)),
                _ => {}
            }
        }
    }

    fn next_frame(&mut self) -> Option<(u8, Vec<u8>)> {
        let [first, length] = self.bytes()?;
        let length = match length {
            126 => u16::from_be_bytes(self.bytes()?).into(),
            127 => u64::from_be_bytes(self.bytes()?),
            length => length.into(),
        };
        let mut bytes = vec![0; length as usize];
        self.fill(&mut bytes)?;
        assert!(first & 0x80 != 0, "frames are whole messages");
        Some((first & 0xf, bytes))
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Some(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Option<()> {
        match self.stream.read_exact(bytes) {
            Ok(()) => Some(()),
            Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("the server says nothing"),
            Err(_) => None,
        }
    }

    /// The next message that `fits`.
    pub(super) fn hear_one(&mut self, fits: impl Fn(&Json) -> bool) -> Json {
        let began = Instant::now();
        loop {
            let heard = self.hear().expect("the page is open");
            if fits(&heard) {
                return heard;
            }
            assert!(began.elapsed() < PATIENCE, "the last message is {heard}");
        }
    }

    /// The next message of a kind.
    pub(super) fn hear_kind(&mut self, kind: &str) -> Json {
        self.hear_one(|heard| heard["tell"] == kind)
    }

    /// The answer to an ask with a number.
    pub(super) fn answer(&mut self, ask: &Json) -> Json {
        assert!(self.ask(ask), "the page is open");
        self.hear_one(|heard| heard["id"] == ask["id"])
    }
}
