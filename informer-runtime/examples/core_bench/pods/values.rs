//! The values in Pods, drawn from numbers.

use super::Form;
use fastrand::Rng;

/// Pods of one workload.
const REPLICAS: usize = 20;
/// Namespaces over which the workloads are spread.
const NAMESPACES: usize = 50;

/// What all Pods of a workload have in common.
pub(super) struct Workload {
    pub(super) app: String,
    pub(super) namespace: String,
    pub(super) template_hash: String,
    pub(super) owner_uid: String,
    pub(super) checksum: String,
    pub(super) generation: u32,
    pub(super) containers: Vec<Container>,
}

pub(super) struct Container {
    pub(super) image: String,
    pub(super) digest: String,
    pub(super) port: u32,
    pub(super) peer_port: u32,
    pub(super) environment: Vec<(String, String)>,
    pub(super) cpu: (u32, u32),
    pub(super) memory: (u32, u32),
}

/// What is one Pod's own.
pub(super) struct Instance {
    pub(super) name: String,
    pub(super) uid: String,
    pub(super) node: String,
    pub(super) token_volume: String,
    pub(super) created: String,
    pub(super) started: String,
    pub(super) pod_ip: String,
    pub(super) host_ip: String,
    pub(super) restarts: u32,
    pub(super) container_ids: Vec<String>,
}

impl Workload {
    /// The workload of Pod number `pod`.
    pub(super) fn of(form: Form, pod: usize) -> Self {
        let number = pod / REPLICAS;
        let mut rng = Rng::with_seed(0x5eed_0000 + number as u64);
        let app = format!("svc-{}-{number}", letters(&mut rng, 6));
        let namespace = format!("team-{}", number % NAMESPACES);
        let containers = match form {
            Form::Full => rng.usize(1..=2),
            Form::Small => 1,
        };
        Self {
            template_hash: letters(&mut rng, 10),
            owner_uid: uid(&mut rng),
            checksum: hex(&mut rng, 64),
            generation: rng.u32(1..9),
            containers: (0..containers).map(|_| Container::new(&mut rng, &app, &namespace)).collect(),
            app,
            namespace,
        }
    }
}

impl Container {
    fn new(rng: &mut Rng, app: &str, namespace: &str) -> Self {
        let release = (rng.u32(0..9), rng.u32(0..30), rng.u32(0..30));
        let settings = rng.usize(4..9);
        Self {
            image: format!("registry.example.test/{namespace}/{app}:{}.{}.{}", release.0, release.1, release.2),
            digest: hex(rng, 64),
            port: rng.u32(8000..9000),
            peer_port: rng.u32(8000..9000),
            environment: (0..settings)
                .map(|_| {
                    let name = format!("SETTING_{}", letters(rng, 6).to_uppercase());
                    let length = rng.usize(12..32);
                    (name, hex(rng, length))
                })
                .collect(),
            cpu: (rng.u32(100..1000), rng.u32(50..150)),
            memory: (rng.u32(128..1024), rng.u32(64..264)),
        }
    }
}

impl Instance {
    pub(super) fn new(workload: &Workload, number: usize) -> Self {
        let mut rng = Rng::with_seed(0x0b1e_c700_0000 + number as u64);
        let zone = ["a", "b", "c"][rng.usize(0..3)];
        Self {
            name: format!("{}-{}-{}", workload.app, workload.template_hash, letters(&mut rng, 5)),
            uid: uid(&mut rng),
            node: format!("node-{}.zone-{zone}.example.test", rng.u32(0..2000)),
            token_volume: format!("kube-api-access-{}", letters(&mut rng, 5)),
            created: time(&mut rng),
            started: time(&mut rng),
            pod_ip: format!("10.{}.{}.{}", rng.u8(..), rng.u8(..), rng.u8(..)),
            host_ip: format!("10.0.{}.{}", rng.u8(..), rng.u8(..)),
            restarts: rng.u32(0..3),
            container_ids: workload.containers.iter().map(|_| hex(&mut rng, 64)).collect(),
        }
    }
}

fn letters(rng: &mut Rng, count: usize) -> String {
    // as the server makes names of Pods: no vowels, no words
    const ALPHABET: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    (0..count).map(|_| char::from(ALPHABET[rng.usize(..ALPHABET.len())])).collect()
}

fn hex(rng: &mut Rng, count: usize) -> String {
    (0..count).map(|_| rng.digit(16)).collect()
}

fn uid(rng: &mut Rng) -> String {
    [8, 4, 4, 4, 12].map(|count| hex(rng, count)).join("-")
}

fn time(rng: &mut Rng) -> String {
    let (day, hour, minute, second) = (rng.u32(1..29), rng.u32(0..24), rng.u32(0..60), rng.u32(0..60));
    format!("2026-11-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}
