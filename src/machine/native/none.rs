//! The module `compiled` where there is no backend: nothing is compiled.

#![expect(missing_docs, reason = "the functions of compiled code say what each does")]

use std::marker::PhantomData;
use std::sync::Arc;

use super::family::OpenNumbers;
use super::{CodeSize, RunKind};
use crate::candidates::TriedCandidates;
use crate::program::{CodeAddress, Program};
use crate::run_state::{Counters, RunState, Stop};
use houserule_base::rng::{ManyStreams, Streams};

pub use self::{NoMachine as Machine, NoPrepared as Prepared};

/// The compiled code of a program, of which there is none.
#[derive(Clone, Debug)]
pub enum NoMachine {}

impl NoMachine {
    pub fn new(_program: &Program, _kind: RunKind) -> Option<NoMachine> {
        None
    }

    pub(crate) fn shared(_program: &Arc<Program>, _open: &OpenNumbers) -> Option<NoMachine> {
        None
    }

    pub(crate) fn for_member(&self, _program: &Program, _numbers: Arc<[i64]>) -> NoMachine {
        match *self {}
    }

    pub fn has_code_of(&self, _other: &NoMachine) -> bool {
        match *self {}
    }

    pub fn size(&self) -> CodeSize {
        match *self {}
    }

    pub fn streams(&self, _program: &Program, _games: usize) -> ManyStreams {
        match *self {}
    }

    #[expect(clippy::too_many_arguments, reason = "they are the parts of a run of games")]
    pub fn games(
        &self,
        _program: &Program,
        _start: &[u64],
        _frames: &mut [u64],
        _rows: &mut [Counters],
        _streams: &mut ManyStreams,
        _run_state: &mut RunState,
        _seed: u64,
        _index: u64,
    ) -> (usize, Option<Stop>) {
        match *self {}
    }

    pub fn run(
        &self,
        _program: &Program,
        _words: &mut [u64],
        _streams: &mut Streams,
        _run_state: &mut RunState,
        _at: CodeAddress,
    ) -> Option<Stop> {
        match *self {}
    }

    pub(crate) fn prepare<'a>(
        &'a self,
        _program: &'a Program,
        _streams: &'a mut Streams,
        _run_state: &'a mut RunState,
    ) -> NoPrepared<'a> {
        match *self {}
    }
}

/// Prepared compiled code, of which there is none.
pub struct NoPrepared<'a>(NoMachine, PhantomData<&'a ()>);

impl NoPrepared<'_> {
    pub(crate) fn lent(&mut self) -> (&mut Streams, &mut RunState) {
        match self.0 {}
    }

    pub(crate) fn change_to(&mut self, _machine: &NoMachine, _program: &Program) {
        match self.0 {}
    }

    pub(crate) fn run(&mut self, _words: &mut [u64], _at: CodeAddress) -> Option<Stop> {
        match self.0 {}
    }

    pub(crate) fn reaches_decision(&mut self, _words: &mut [u64], _at: CodeAddress) -> bool {
        match self.0 {}
    }

    pub(crate) fn tries(&mut self, _: &mut [u64], _: CodeAddress, _: &mut TriedCandidates) -> bool {
        match self.0 {}
    }

    pub(crate) fn completes(&mut self, _words: &mut [u64], _at: CodeAddress) -> bool {
        match self.0 {}
    }

    pub(crate) fn stop(&mut self) -> Option<Stop> {
        match self.0 {}
    }
}
