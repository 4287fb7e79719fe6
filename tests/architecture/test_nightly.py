"""The nightly tier: which tests are in it, each with the test of `make test` that makes its claim."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests import quick

NIGHTLY: dict[str, int] = {
    "tests/answers/test_recorded_answers.py::test_an_edited_step_of_the_builder_changes_the_answers": 7,
    "tests/answers/test_recorded_requests.py::test_who_may_be_elected": 4,
    "tests/answers/test_recorded_security.py::test_a_row_left_out_is_noticed": 32,
    "tests/cli/test_errors.py::test_a_closed_pipe_is_no_error": 2,
    "tests/cli/test_mutate.py::test_a_stale_entry_fails": 2,
    "tests/cli/test_mutate.py::test_a_stale_survivor_fails": 2,
    "tests/cli/test_new.py::test_the_skeleton_of_a_change": 2,
    "tests/cli/test_questions.py::test_a_page_shows_what_is_printed": 2,
    "tests/cli/test_redact.py::test_no_name_is_left_and_the_log_is_judged_the_same": 2,
    "tests/cli/test_releases.py::test_a_release_that_cannot_be_is_said_in_one_line": 2,
    "tests/cli/test_show_machines.py::test_a_design_is_drawn_too": 4,
    "tests/cli/test_simulate.py::test_one_seed_is_one_run_to_the_byte": 1,
    "tests/cli/test_simulate_scale.py::test_a_fault_of_each_kind_is_found": 4,
    "tests/cli/test_tlc_runs.py::test_what_is_exported_is_taken_by_tlc_as_it_is": 1,
    "tests/comparing/test_whatif.py::test_a_variant_of_the_museum_is_answered_as_by_a_full_proof": 2,
    "tests/conformance/designs/test_injected_found.py::test_lock_step_finds_a_defect_by_its_seed": 31,
    "tests/conformance/lockstep/test_loop.py::test_a_defect_of_the_loop_differs_at_its_row": 5,
    "tests/conformance/lockstep/test_loop.py::test_every_step_of_a_run_is_rows": 5,
    "tests/conformance/lockstep/test_recorded.py::test_plain_and_compiled_rows_agree": 1,
    "tests/conformance/lockstep/test_rows.py::test_every_row_that_can_fire_fires": 1,
    "tests/conformance/lockstep/test_rows.py::test_every_step_is_a_row": 5,
    "tests/conformance/test_beginning.py::test_a_recorded_log_cut_at_a_snapshot_shows_nothing_new": 2,
    "tests/conformance/test_by_term.py::test_a_log_of_one_release_is_judged_as_by_that_release": 2,
    "tests/conformance/test_by_term.py::test_an_altered_migration_violates": 4,
    "tests/conformance/test_by_term.py::test_no_single_release_explains_an_upgrade": 1,
    "tests/conformance/test_by_term.py::test_spark_judges_by_term_as_one_process_does": 1,
    "tests/conformance/test_by_term.py::test_the_releases_that_are_told_explain_their_terms_alone": 1,
    "tests/conformance/test_by_term.py::test_without_registrations_the_tables_tell_the_releases": 1,
    "tests/conformance/test_classes.py::test_a_log_judged_by_class_is_judged_as_without": 4,
    "tests/conformance/test_classes.py::test_a_log_that_begins_with_a_snapshot_is_judged_by_class_as_without": 1,
    "tests/conformance/test_classes.py::test_one_that_is_created_otherwise_is_found": 6,
    "tests/conformance/test_concerned.py::test_what_begins_to_be_false_is_found_through_inner_quantifiers": 18,
    "tests/conformance/test_events.py::test_the_whole_recording": 1,
    "tests/conformance/test_every_recording.py::test_a_recording_conforms_with_its_settings": 8,
    "tests/conformance/test_every_recording.py::test_without_its_settings_a_recording_says_under_which_it_conforms": 5,
    "tests/conformance/test_faulted_units.py::test_a_faulted_unit_is_judged_as_record_by_record": 9,
    "tests/conformance/test_forbidden.py::test_a_new_registration_with_an_older_epoch": 1,
    "tests/conformance/test_forbidden.py::test_a_reassignment_that_ends_without_whom_it_adds": 3,
    "tests/conformance/test_forbidden.py::test_a_registration_with_directories_that_no_broker_may_have": 10,
    "tests/conformance/test_forbidden.py::test_a_replica_in_a_directory_that_its_broker_never_registered": 3,
    "tests/conformance/test_legality.py::test_what_is_configured_is_there": 5,
    "tests/conformance/test_lost_beginning.py::test_behind_a_gap_the_gap_alone_violates": 2,
    "tests/conformance/test_lost_beginning.py::test_behind_what_cannot_be_read_nothing_violates": 3,
    "tests/conformance/test_lost_beginning.py::test_what_is_known_again_is_asked_again": 2,
    "tests/conformance/test_lost_beginning.py::test_whole_the_log_conforms": 2,
    "tests/conformance/test_lost_beginning.py::test_with_its_beginning_the_removal_violates": 2,
    "tests/conformance/test_lost_beginning.py::test_without_its_snapshot_a_log_is_undecided": 2,
    "tests/conformance/test_meanings.py::test_another_meaning_is_seen_or_may_be": 2,
    "tests/conformance/test_mutants.py::test_some_mutants": 2,
    "tests/conformance/test_parts.py::test_a_hurt_log_in_parts_is_judged_as_in_one_piece": 7,
    "tests/conformance/test_parts.py::test_a_recording_in_parts_is_judged_as_in_one_piece": 31,
    "tests/conformance/test_parts.py::test_an_altered_recording_in_parts_is_judged_as_in_one_piece": 3,
    "tests/conformance/test_parts.py::test_many_altered_recordings_in_parts_are_judged_as_in_one_piece": 23,
    "tests/conformance/test_parts.py::test_the_replay_leaves_the_state_that_judging_leaves": 2,
    "tests/conformance/test_parts.py::test_what_stays_broken_goes_on_in_the_next_part": 1,
    "tests/conformance/test_quantified.py::test_a_log_is_judged_as_where_every_entity_is_asked": 3,
    "tests/conformance/test_recorded.py::test_a_recorded_log_is_explained_in_full": 8,
    "tests/conformance/test_releases.py::test_a_recording_is_explained_by_its_release_and_newer_ones": 4,
    "tests/conformance/test_releases.py::test_at_an_older_level_the_rules_tell": 3,
    "tests/conformance/test_restoring.py::test_an_altered_snapshot_is_told_in_runs_as_record_by_record": 4,
    "tests/conformance/test_runs.py::test_a_recording_is_judged_in_runs_as_record_by_record": 4,
    "tests/conformance/test_runs.py::test_an_altered_recording_is_judged_in_runs_as_record_by_record": 14,
    "tests/conformance/test_sensitivity.py::test_each_reason_occurs": 1,
    "tests/conformance/test_sensitivity.py::test_nearly_every_altered_field_is_found": 3,
    "tests/conformance/test_sensitivity.py::test_no_directory_of_another_broker_is_registered": 3,
    "tests/conformance/test_sensitivity.py::test_nothing_else_passes_where_the_controller_decides": 1,
    "tests/conformance/test_sensitivity.py::test_what_is_still_explained_has_a_reason": 3,
    "tests/conformance/test_simulated.py::test_every_controllers_log_conforms": 5,
    "tests/conformance/test_simulated.py::test_they_conform_on_spark_too": 1,
    "tests/conformance/test_spark_page.py::test_the_page_is_followed": 1,
    "tests/conformance/test_spark_parts.py::test_tasks_find_of_parts_what_one_process_finds": 1,
    "tests/conformance/test_spark_recordings.py::test_the_tables_of_recordings_say_what_one_process_says": 1,
    "tests/conformance/test_spark_standalone.py::test_an_executor_that_is_killed_changes_nothing": 1,
    "tests/conformance/test_spark_standalone.py::test_the_masters_go_before_one_another": 3,
    "tests/conformance/test_tail.py::test_a_fan_out_of_more_than_ten_thousand_partitions": 1,
    "tests/conformance/zk/test_alterations.py::test_alterations_of_a_reassignment_are_found": 15,
    "tests/conformance/zk/test_alterations.py::test_every_alteration_is_found_where_it_was_made": 11,
    "tests/conformance/zk/test_cut.py::test_alterations_within_cut_logs_are_found": 2,
    "tests/conformance/zk/test_cut.py::test_logs_that_are_cut_at_one_time_are_no_violation": 11,
    "tests/conformance/zk/test_cut.py::test_one_log_that_is_cut_is_no_violation": 9,
    "tests/conformance/zk/test_simulated.py::test_simulated_brokers_that_cannot_do_what_is_asked_conform": 2,
    "tests/conformance/zk/test_simulated.py::test_simulated_clusters_conform": 4,
    "tests/conformance/zk/test_simulated.py::test_simulations_exercise_what_recordings_do_not": 1,
    "tests/conformance/zk_lockstep/test_seeds.py::test_a_replaced_controller_lives_on_what_it_knows": 2,
    "tests/conformance/zk_lockstep/test_seeds.py::test_declared_violations_are_counted": 1,
    "tests/conformance/zk_lockstep/test_seeds.py::test_every_step_is_a_row": 8,
    "tests/conformance/zk_lockstep/test_seeds.py::test_most_rows_are_run": 1,
    "tests/conformance/zk_lockstep/test_unable.py::test_what_a_broker_cannot_do_is_a_row": 2,
    "tests/examples/test_contributing.py::test_a_change_does_what_the_page_says": 4,
    "tests/examples/test_examples.py::test_kip320_has_the_counts_of_the_published_module": 1,
    "tests/exploration/test_compiling.py::test_every_function_of_every_protocol_is_translated": 7,
    "tests/exploration/test_counts.py::test_replicas_agree_with_the_interpreter": 1,
    "tests/exploration/test_counts.py::test_two_phase_agrees_with_the_interpreter": 4,
    "tests/exploration/test_kip631_v2.py::test_a_bound_has_its_pinned_counts": 1,
    "tests/exploration/test_kip631_v2.py::test_a_reading_that_breaks_nothing_closes_as_declared": 2,
    "tests/exploration/test_liveness.py::test_tlc_judges_the_same": 12,
    "tests/exploration/test_manifest.py::test_a_bound_shows_what_is_recorded": 99,
    "tests/exploration/test_published.py::test_a_restated_specification_has_its_published_counts": 3,
    "tests/exploration/test_reduction.py::test_the_same_is_found_of_protocols": 2,
    "tests/exploration/test_slices.py::test_a_bound_has_its_pinned_counts": 9,
    "tests/exploration/test_slices.py::test_directories_features_and_fencing_together_break_what_nothing_else_does": 1,
    "tests/exploration/test_slices.py::test_every_row_fires_at_some_bound_or_is_listed": 1,
    "tests/exploration/test_zk.py::test_a_bound_has_its_pinned_counts": 11,
    "tests/exploration/test_zk.py::test_a_reassignment_that_stops_its_leader_leaves_a_partition_without_one": 1,
    "tests/exploration/test_zk.py::test_every_row_fires_at_some_bound_or_is_listed": 1,
    "tests/exploration/test_zk.py::test_what_comes_to_pass": 6,
    "tests/exploration/test_zk.py::test_what_comes_to_pass_is_judged_without_a_range_in_the_way": 9,
    "tests/findings/test_kraft.py::test_the_repair_is_proved_where_it_matters": 6,
    "tests/findings/test_kraft.py::test_the_repaired_rows_keep_it": 14,
    "tests/findings/test_kraft.py::test_the_trace_breaks_nothing_that_is_declared_to_hold": 13,
    "tests/findings/test_kraft.py::test_today_s_rows_break_the_claim": 13,
    "tests/findings/test_recorded.py::test_many_random_requests_show_the_finding": 3,
    "tests/kafka/test_active.py::test_a_whole_controller_answers_so": 4,
    "tests/kafka/test_answers.py::test_the_recorded_answers_are_those_of_the_published_classes": 7,
    "tests/kafka/test_dump_log.py::test_simulated_logs": 2,
    "tests/kafka/test_kafka_storage.py::test_the_same_directories": 9,
    "tests/kafka/test_kafka_storage.py::test_the_same_refusals": 7,
    "tests/kafka/test_server.py::test_it_is_in_our_state": 2,
    "tests/kraft_claims/test_mutants.py::test_no_claim_before_it_did": 29,
    "tests/kraft_claims/test_mutants.py::test_the_claim_refutes_the_mutant": 29,
    "tests/kraft_data/test_any_controller.py::test_any_controller_that_keeps_to_the_interface_will_do": 1,
    "tests/kraft_data/test_claims.py::test_the_claim_refutes_the_altered_row": 12,
    "tests/kraft_data/test_claims.py::test_the_theorem_and_its_lemmas_do_not": 12,
    "tests/kraft_data/test_exploration.py::test_a_bound_has_its_pinned_counts": 6,
    "tests/kraft_data/test_exploration.py::test_every_lemma_is_put_to_the_test": 1,
    "tests/kraft_data/test_interface.py::test_every_row_of_kraft_keeps_what_is_taken_for_granted": 1,
    "tests/kraft_data/test_proof.py::test_no_edit_that_loses_a_record_is_proved": 16,
    "tests/kraft_data/test_proof.py::test_what_needs_an_assumption_is_what_is_listed": 1,
    "tests/kraft_data/test_refinement.py::test_a_row_aside_keeps_the_claims_where_it_may": 1,
    "tests/kraft_data/test_refinement.py::test_an_edit_that_breaks_the_interface_is_refuted": 7,
    "tests/kraft_data/test_refinement.py::test_every_row_of_kraft_is_a_row_of_the_slice_or_none": 1,
    "tests/kraft_data/test_through_both.py::test_forgetting_them_loses_none": 1,
    "tests/kraft_data/test_through_both.py::test_the_repair_of_reassignments_loses_none": 1,
    "tests/kraft_loop/test_claims.py::test_nothing_else_does": 11,
    "tests/kraft_loop/test_claims.py::test_the_claim_refutes_the_mutant": 11,
    "tests/kraft_loop/test_exploration.py::test_a_bound_has_its_pinned_counts": 4,
    "tests/kraft_loop/test_proof.py::test_no_way_to_break_the_loop_is_proved": 4,
    "tests/kraft_loop/test_proof.py::test_what_everybody_should_know_is_refuted_by_name": 4,
    "tests/kraft_whole/test_agreement.py::test_a_row_writes_what_the_row_of_kraft_writes": 2,
    "tests/kraft_whole/test_exploration.py::test_a_bound_has_its_pinned_counts": 1,
    "tests/kraft_whole/test_exploration.py::test_half_a_result_is_seen_and_made_whole": 1,
    "tests/kraft_whole/test_interface.py::test_what_holds_at_result_boundaries_holds_of_committed_state": 1,
    "tests/matrix/test_cells.py::test_explored_cells_are_as_told": 3,
    "tests/matrix/test_cells.py::test_proved_cells_are_proved": 5,
    "tests/museum/test_kip343.py::test_a_reading_of_what_the_text_leaves_open_keeps_every_claim": 3,
    "tests/museum/test_kip46.py::test_the_other_tables_hold_there": 12,
    "tests/museum/test_kip631_v1.py::test_a_variant_without_a_flaw_keeps_what_the_tables_keep": 1,
    "tests/museum/test_kip631_v1.py::test_exploration_finds_the_flaw_by_its_shortest_trace": 4,
    "tests/museum/test_kip631_v1.py::test_the_tables_without_the_flaw_hold_there": 13,
    "tests/museum/test_kip631_v1.py::test_with_both_repairs_nobody_believes_beside_another": 2,
    "tests/museum/test_kip631_v2.py::test_an_edit_is_a_variant_of_whole_and_slice": 15,
    "tests/museum/test_kip631_v2.py::test_exploration_finds_it_by_its_shortest_trace": 5,
    "tests/museum/test_kraft.py::test_exploration_finds_the_defect_by_its_shortest_trace": 10,
    "tests/museum/test_kraft.py::test_proof_finds_no_fault_with_the_base": 11,
    "tests/museum/test_kraft.py::test_proof_refutes_the_defect": 10,
    "tests/museum/test_kraft.py::test_the_base_holds_where_the_defect_is_found": 5,
    "tests/museum/test_kraft_data.py::test_exploration_finds_it_by_its_shortest_run": 9,
    "tests/museum/test_kraft_data.py::test_the_tables_hold_there": 15,
    "tests/museum/test_kraft_large.py::test_an_edit_that_changes_nothing_at_a_bound_is_explored_to_the_end": 1,
    "tests/museum/test_kraft_large.py::test_the_search_finds_the_defect_at_a_larger_bound": 22,
    "tests/museum/test_zk.py::test_exploration_finds_the_defect_by_its_shortest_trace": 17,
    "tests/museum/test_zk.py::test_the_tables_without_the_defect_hold_there": 22,
    "tests/museum/test_zk_data.py::test_exploration_finds_it_by_its_shortest_run": 2,
    "tests/museum/test_zk_data.py::test_the_tables_hold_there": 2,
    "tests/museum/test_zk_steps.py::test_a_zombie_does_not_hinder_the_successor": 1,
    "tests/museum/test_zk_steps.py::test_after_a_crash_at_any_step_the_successor_ends_it": 2,
    "tests/mutation/test_checkers.py::test_a_recording_is_asked_under_its_static_settings": 1,
    "tests/mutation/test_checkers.py::test_seeds_of_kraft_data_show_every_row_but_one": 1,
    "tests/mutation/test_checkers.py::test_the_warm_path_agrees_with_the_full_proof": 1,
    "tests/oracles/test_same.py::test_sql_and_conform_say_the_same_of_a_thousand": 1,
    "tests/peers/test_peers.py::test_rust_counts_what_exploration_counts": 1,
    "tests/peers/test_peers.py::test_spin_counts_what_exploration_counts": 1,
    "tests/proof/designs/test_kip343.py::test_an_edit_is_noticed_by_a_new_claim_alone": 5,
    "tests/proof/designs/test_kip46.py::test_an_edit_is_noticed_by_a_new_claim_alone": 3,
    "tests/proof/designs/test_kip631_v1.py::test_an_edit_is_noticed_by_a_new_claim_alone": 2,
    "tests/proof/designs/test_kip631_v2.py::test_an_edit_is_noticed_by_a_new_claim_alone": 4,
    "tests/proof/test_assumptions_designs.py::test_without_an_assumption_these_claims_fall": 14,
    "tests/proof/test_kip46.py::test_a_variant_keeps_what_it_is_for": 2,
    "tests/proof/test_kip631_v2.py::test_what_is_dropped_is_missed": 5,
    "tests/proof/test_kraft.py::test_all_rows_are_proved_whatever_the_seed": 1,
    "tests/proof/test_zk.py::test_a_guard_that_is_dropped_is_missed": 8,
    "tests/proof/test_zk.py::test_all_rows_are_proved_whatever_the_seed": 1,
    "tests/proof/test_zk.py::test_repairs_are_proved_with_their_lemmas": 1,
    "tests/reference/kip631/test_crashes.py::test_a_process_may_die_after_every_step": 3,
    "tests/reference/kip631/test_runs.py::test_a_defect_changes_a_run": 16,
    "tests/reference/kip631/test_runs.py::test_partitions_stay_whole": 6,
    "tests/reference/kraft/simulation/test_progress.py::test_what_does_not_come_to_pass_is_found": 7,
    "tests/reference/kraft/simulation/test_progress.py::test_what_is_due_comes_to_pass": 1,
    "tests/reference/kraft/test_data_lockstep.py::test_a_minute_of_a_seed_is_rows": 5,
    "tests/reference/kraft/test_injected.py::test_a_bug_is_found_within_its_seeds": 34,
    "tests/reference/kraft/test_recorded_logs.py::test_every_recorded_change_is_one_that_the_reference_writes": 9,
    "tests/reference/kraft/test_replication_bugs.py::test_a_defect_is_found_by_torture": 1,
    "tests/reference/kraft/test_replication_bugs.py::test_todays_rules_stand_torture": 4,
    "tests/reference/kraft/test_security.py::test_every_row_fires_in_some_run": 1,
    "tests/reference/kraft/test_simulation.py::test_an_inherited_configuration_loses_acknowledged_records": 1,
    "tests/reference/kraft/test_simulation.py::test_clusters_that_begin_at_an_older_level": 11,
    "tests/reference/kraft/test_simulation.py::test_memory_made_from_snapshots": 4,
    "tests/reference/kraft/test_simulation.py::test_one_seed_is_one_run": 1,
    "tests/reference/kraft/test_simulation.py::test_ten_minutes_of_a_seed_are_rows": 8,
    "tests/reference/test_designs_crashes.py::test_a_process_may_die_after_every_step": 2,
    "tests/reference/zk/test_injected_found.py::test_a_run_shows_the_bug": 16,
    "tests/reference/zk/test_simulation.py::test_runs_break_no_promise_and_end_well": 4,
    "tests/releases/test_edits.py::test_older_builders_are_refused_by_the_newest_ones_answers": 5,
    "tests/requirements/test_mutants.py::test_every_mutant_breaks_what_it_says": 1,
    "tests/requirements/test_s4_operations.py::test_a_crash_during_a_reassignment_is_recovered_forwards": 29,
    "tests/requirements/test_sources.py::test_a_recording_shows_what_carries_each_demand_that_names_it": 8,
    "tests/tlc/test_every_module.py::test_every_variant_has_modules": 9,
    "tests/tlc/test_every_module.py::test_tla_takes_the_modules_of_all_tables": 1,
    "tests/tlc/test_kip343.py::test_tlc_judges_strong_fairness_as_exploration_does": 1,
    "tests/tlc/test_kip343.py::test_tlc_judges_what_comes_to_pass_as_exploration_does": 3,
    "tests/tlc/test_kip631_v2_slices.py::test_tlc_finds_the_broker_that_chases_the_log_as_exploration_does": 1,
    "tests/tlc/test_large.py::test_tlc_counts_what_exploration_counts": 11,
    "tests/tlc/test_replaying.py::test_a_museum_run_is_confirmed": 12,
    "tests/tlc/test_replaying.py::test_an_altered_run_is_refused": 3,
    "tests/tlc/test_slices.py::test_tlc_counts_what_exploration_counts": 45,
    "tests/tlc/test_symmetry.py::test_tlc_counts_the_orbits_of_a_protocol": 2,
    "tests/tlc/test_tlc.py::test_counts_are_those_of_the_published_module": 2,
    "tests/tlc/test_zk_slices.py::test_tlc_judges_what_comes_to_pass_as_exploration_does": 2,
    "tests/traces/test_recorded.py::test_binary_can_be_made_from_the_dump": 9,
    "tests/traces/test_recorded.py::test_dump_reads_as_the_binary_log": 8,
    "tests/zk_data/test_claims.py::test_the_claim_refutes_the_altered_row": 5,
    "tests/zk_data/test_claims.py::test_the_theorem_and_its_lemmas_do_not": 5,
    "tests/zk_data/test_exploration.py::test_a_bound_has_its_pinned_counts": 1,
    "tests/zk_data/test_exploration.py::test_every_lemma_is_put_to_the_test": 1,
    "tests/zk_data/test_proof.py::test_no_edit_that_loses_a_record_is_proved": 7,
    "tests/zk_data/test_proof.py::test_what_needs_an_assumption_is_what_is_listed": 1,
}
"""How many cases of a function run every night only; whoever adds one says so here."""

LIMIT = 1400
"""The cases of the tier are no more than this."""


@pytest.fixture
def collected(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """Return the tests of all files that are collected whole, those too that the markers leave out."""
    parts = {Path(one.partition("::")[0]).name for one in request.config.args if "::" in one}
    return [item for item in request.config.stash[quick.COLLECTED] if item.path.name not in parts]


def _named(item: pytest.Item, marker: pytest.Mark) -> str:
    """Return the node id of the test that a nightly one repeats: of the same file where it names none."""
    [name] = marker.args
    return name if "::" in name else f"{quick.split(item.nodeid)[0]}::{name}"


def _function(nodeid: str) -> str:
    return "::".join(quick.split(nodeid))


def test_the_tier_is_what_is_listed(collected: list[pytest.Item]) -> None:
    """Of each file that is collected the tier has as many cases of each function as are listed, and no others."""
    files = {quick.split(item.nodeid)[0] for item in collected}
    found = Counter(_function(item.nodeid) for item in collected if item.get_closest_marker("nightly"))
    assert found == {name: count for name, count in NIGHTLY.items() if name.partition("::")[0] in files}


def test_the_tier_is_small() -> None:
    """As many cases as are listed are no more than the limit."""
    assert sum(NIGHTLY.values()) <= LIMIT


def test_representative_cases_are_collected(collected: list[pytest.Item]) -> None:
    """A case that a test names as representative is one of its cases, and has no marker that leaves it out."""
    run = {item.nodeid for item in collected if not quick.left_out(one.name for one in item.iter_markers())}
    for item in collected:
        for marker in item.iter_markers("representative"):
            assert {f"{_function(item.nodeid)}[{case}]" for case in marker.args} - run == set()


def test_each_names_a_test_that_runs(collected: list[pytest.Item]) -> None:
    """What a nightly test repeats is claimed by a test that is collected, and left out by no marker."""
    run = {item.nodeid for item in collected if not quick.left_out(one.name for one in item.iter_markers())}
    run |= {_function(one) for one in run}
    files = {quick.split(item.nodeid)[0] for item in collected}
    for item in collected:
        for marker in item.iter_markers("nightly"):
            named = _named(item, marker)
            if quick.split(named)[0] in files:
                assert named in run, f"{item.nodeid}: {named} does not run"
