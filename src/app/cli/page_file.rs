//! The file that a report or a comparison is written to, in a form that its name says.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::terminal::CliError;
use houserule_base::files;

/// The options of the file.
#[derive(Clone, Debug, Args)]
pub(super) struct PageFile {
    /// Output file, by its ending `.html`, `.md` or `.json`
    #[arg(long = "output", short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    force: bool,
}

/// The form of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageForm {
    Html,
    Markdown,
    Json,
}

/// A file that can be written, once the work is done.
pub(super) struct PageTarget<'f> {
    pub(super) path: &'f Path,
    pub(super) form: PageForm,
    force: bool,
}

impl PageFile {
    /// Returns the file if one is asked for. Fails if `what` can't have the form that its name says, or if it exists and isn't
    /// to be overwritten: before the work.
    pub(super) fn target(&self, what: &str, forms: &[PageForm]) -> Result<Option<PageTarget<'_>>, CliError> {
        let Some(path) = self.output.as_deref() else { return Ok(None) };
        let form = match path.extension().and_then(|ending| ending.to_str()) {
            Some("html" | "htm") => Some(PageForm::Html),
            Some("md") => Some(PageForm::Markdown),
            Some("json") => Some(PageForm::Json),
            _ => None,
        };
        let Some(form) = form.filter(|form| forms.contains(form)) else {
            let endings: Vec<String> = forms.iter().map(|form| format!("`{}`", form.ending())).collect();
            let (last, others) = endings
                .split_last()
                .map_or((String::new(), String::new()), |(last, others)| (last.clone(), others.join(", ")));
            return Err(CliError::Command(format!(
                "`{}`: the name of {what} must end in {others} or {last}",
                path.display()
            )));
        };
        if !self.force {
            files::unused(path)?;
        }
        Ok(Some(PageTarget { path, form, force: self.force }))
    }
}

impl PageForm {
    fn ending(self) -> &'static str {
        match self {
            PageForm::Html => ".html",
            PageForm::Markdown => ".md",
            PageForm::Json => ".json",
        }
    }
}

impl PageTarget<'_> {
    /// Writes the file.
    pub(super) fn write(&self, text: &str) -> Result<(), CliError> {
        Ok(files::write(self.path, text.as_bytes(), self.force)?)
    }
}
