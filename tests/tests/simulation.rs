//! Some seeds of the simulation, each twice. `cargo xtask simulate` runs as many as one likes.

use informer_tests::simulation::simulate;

#[test]
fn some_seeds_come_out_well_and_the_same_twice() {
    for seed in 0..8 {
        let (first, second) = (simulate(seed, false), simulate(seed, false));
        assert!(first.wrongs.is_empty(), "seed {seed}: {:#?}", first.wrongs);
        assert_eq!(first, second, "seed {seed}");
    }
}
