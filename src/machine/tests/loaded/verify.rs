//! Programs with wrong references are refused.

use std::collections::BTreeSet;

use houserule_loader::{Request, load, load_text};
use houserule_machine::program::{LineList, Program, SetFunction};

/// Programs with functions of sets, on boards with and without masks.
fn programs() -> Vec<Program> {
    let rules = "game \"Runs\" { players 2 board cell = hex(4, 4) piece stone[player] \
                 turn { choose { put c in empty { put stone[me] at c } } } \
                 end when count(runs(stone[me], 3)) > 0: win me  end when empty is nothing: draw }";
    let runs = load_text("runs.rules", rules, &Request::default()).expect("it loads");
    let bundled = ["go", "points", "reversi"].map(|name| load(&Request { name, ..Request::default() }));
    let all = bundled.map(|loaded| loaded.expect("it loads")).into_iter().chain([runs]);
    all.map(|loaded| loaded.game.program().clone()).collect()
}

#[test]
fn a_function_refers_to_tables_lines_and_masks_that_exist() {
    let mut seen = BTreeSet::new();
    for program in programs() {
        assert_eq!(program.verify(), Ok(()));
        for at in 0..program.functions.len() {
            let mut wrong = program.clone();
            seen.insert(match &mut wrong.functions[at] {
                SetFunction::UnionOfRows { table, .. } => {
                    *table = u16::MAX;
                    "union"
                }
                SetFunction::ReachBy { steps, .. } => {
                    steps[0][0].1 = u16::MAX;
                    "links"
                }
                SetFunction::Slide { table } => {
                    *table = u16::MAX;
                    "slide"
                }
                SetFunction::Reach { table, .. } => {
                    *table = u16::MAX;
                    "reach"
                }
                SetFunction::Runs { lines } | SetFunction::CustodialLists { lines } => {
                    *lines = u16::MAX;
                    "runs"
                }
                SetFunction::Enclosed(of) | SetFunction::Fill(of) => {
                    of.edge = u32::MAX;
                    "enclosure"
                }
                SetFunction::Rows { grid } => {
                    grid.width = 65;
                    "rows"
                }
                SetFunction::Custodial(of) | SetFunction::Flanks(of) => {
                    of.masks = u32::MAX;
                    "directions"
                }
            });
            assert!(wrong.verify().is_err(), "{:?}", program.functions[at]);
        }
        if let Some(lines) = (0..program.lines.len()).find(|at| !program.lines[*at].lists.is_empty()) {
            let mut wrong = program.clone();
            wrong.lines[lines].lists.push(LineList::new(vec![u16::MAX], false));
            assert!(wrong.verify().is_err());
            seen.insert("line");
        }
    }
    let wanted = ["directions", "enclosure", "line", "reach", "runs", "union"];
    assert!(wanted.iter().all(|one| seen.contains(one)), "{seen:?}");
}
