//! What an option does with a site: it may be an element that lies in a zone, or a place on its board. Only the first
//! is as hidden as its zone. Reads the model alone.

use houserule_model::{
    CheckedBinder, CheckedBlock, CheckedExpr, CheckedExprKind, CheckedOption, CheckedStmtKind, Content,
    DomainId, DomainKind, LocalId, Model, Role, Slot, walk,
};

/// Returns `true` if elements of a domain lie in zones.
pub(super) fn has_zones(model: &Model, domain: DomainId) -> bool {
    model.slots.iter().any(|slot| is_zone_of(slot, domain))
}

fn is_zone_of(slot: &Slot, domain: DomainId) -> bool {
    slot.role == Role::Zone && slot.content == Content::Set(domain)
}

/// Returns `true` if the elements of a domain lie in zones and are nowhere else.
pub(super) fn lie_in_zones_alone(model: &Model, domain: DomainId) -> bool {
    has_zones(model, domain) && !are_sites(model, domain)
}

/// Returns `true` if the elements of a domain are sites of a board.
pub(super) fn are_sites(model: &Model, domain: DomainId) -> bool {
    matches!(model.domains[domain.index()].kind, DomainKind::Sites(_))
}

/// Returns `true` if a binder chooses what lies in zones. Other elements than sites are nowhere else. A site is a
/// place on the board, too, unless the option reads it from a zone or moves it to one.
pub(super) fn chooses_from_zones(model: &Model, option: &CheckedOption, binder: &CheckedBinder) -> bool {
    let domain = binder.domain;
    if !has_zones(model, domain) {
        return false;
    }
    let tests = option.filter.iter().chain(&option.ensuring);
    !are_sites(model, domain)
        || is_of_zones(model, &binder.over, domain)
        || tests.into_iter().any(|test| tests_place(model, test, binder.local, domain))
        || moves(model, &option.body, binder.local)
}

/// Returns `true` if a set of sites is read from zones, or its elements are tested for lying there.
fn is_of_zones(model: &Model, set: &CheckedExpr, domain: DomainId) -> bool {
    match &set.kind {
        CheckedExprKind::Filter { local, over, condition } => {
            is_of_zones(model, over, domain) || tests_place(model, condition, *local, domain)
        }
        _ => reads_zones(model, set, domain),
    }
}

/// Returns `true` if one of the tests that a condition joins compares a local with what lies in zones.
fn tests_place(model: &Model, condition: &CheckedExpr, local: LocalId, domain: DomainId) -> bool {
    match &condition.kind {
        CheckedExprKind::And(a, b) | CheckedExprKind::Or(a, b) => {
            tests_place(model, a, local, domain) || tests_place(model, b, local, domain)
        }
        CheckedExprKind::Not(a) => tests_place(model, a, local, domain),
        _ => reads_any_local(condition, &[local]) && reads_zones(model, condition, domain),
    }
}

/// Returns `true` if an expression reads what lies in zones of a domain.
fn reads_zones(model: &Model, e: &CheckedExpr, domain: DomainId) -> bool {
    let mut found = false;
    walk::expr(e, &mut |e| {
        if let CheckedExprKind::Read(target) = &e.kind {
            found |= is_zone_of(&model.slots[target.slot.index()], domain);
        }
    });
    found
}

/// Returns `true` if a body moves the value of a local, or one that is made of it, to a zone.
pub(super) fn moves(model: &Model, body: &CheckedBlock, local: LocalId) -> bool {
    let mut of_it = vec![local];
    let mut found = false;
    walk::stmts(model, body, &mut |stmt| match &stmt.kind {
        CheckedStmtKind::MoveTo { what, .. } => found |= reads_any_local(what, &of_it),
        CheckedStmtKind::For { local, over: value, .. }
        | CheckedStmtKind::Let { local, value }
        | CheckedStmtKind::SetLocal { local, value }
            if reads_any_local(value, &of_it) =>
        {
            of_it.push(*local);
        }
        _ => {}
    });
    found
}

/// Returns `true` if an expression reads one of some locals.
pub(super) fn reads_any_local(e: &CheckedExpr, locals: &[LocalId]) -> bool {
    let mut found = false;
    walk::expr(e, &mut |e| found |= matches!(e.kind, CheckedExprKind::Local(l) if locals.contains(&l)));
    found
}
