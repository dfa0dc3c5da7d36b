//! Folders for the files of one game.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::breakdown::Breakdown;
use crate::platform::only_owner;

/// The folder of one game for what is made for it: rolls, sockets, named pipes, the working folder. Only the user can open it, and it is
/// gone when the game is over. It is made when something is first put into it.
#[derive(Debug, Default)]
pub(in crate::engine) struct Workspace(Option<TempDir>);

impl Workspace {
    /// The folder, if there is one already.
    pub(in crate::engine) fn path(&self) -> Option<&Path> {
        self.0.as_ref().map(TempDir::path)
    }

    /// A path in the folder.
    pub(in crate::engine) fn place(&mut self, name: &str) -> Result<PathBuf, Breakdown> {
        let folder = match self.0.take() {
            Some(folder) => folder,
            None => {
                let made = tempfile::Builder::new()
                    .prefix("urtext-")
                    .permissions(only_owner())
                    .tempdir();
                made.map_err(Breakdown::Folder)?
            }
        };
        Ok(self.0.insert(folder).path().join(name))
    }

    /// A new empty folder in it.
    pub(in crate::engine) fn folder(&mut self, name: &str) -> Result<PathBuf, Breakdown> {
        let path = self.place(name)?;
        std::fs::create_dir(&path).map_err(Breakdown::Folder)?;
        Ok(path)
    }

    /// A new file in it.
    pub(in crate::engine) fn file(&mut self, name: &str, text: &str) -> Result<PathBuf, Breakdown> {
        let path = self.place(name)?;
        let write = |path: &Path| -> io::Result<()> { std::fs::write(path, text) };
        write(&path).map_err(Breakdown::RollFile)?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn is_there_only_where_needed_for_the_user_alone_and_then_gone() {
        let mut workspace = Workspace::default();
        assert_eq!(workspace.path(), None);
        let file = workspace.file("rolls", "0011\n").unwrap();
        let folder = workspace.folder("work").unwrap();
        let path = workspace.path().unwrap().to_owned();
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o700
        );
        assert!(file.starts_with(&path) && folder.is_dir());
        drop(workspace);
        assert!(!path.exists());
    }
}
