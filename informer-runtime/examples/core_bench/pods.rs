//! Pods as an API server prints them, the same on every machine and in every run.
//!
//! Twenty Pods at a time belong to one workload: what a template fixes is equal within a workload (labels, images,
//! environment, volumes), what a server and a kubelet fill in belongs to the Pod (uid, times, addresses, container ids).

mod values;

use std::fmt::Write;
use values::{Container, Instance, Workload};

/// How large the Pods are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Everything, managedFields too: 7.4 KB on average.
    Full,
    /// One container and little status: 1 KB on average.
    Small,
}

impl Form {
    pub(crate) const ALL: [Self; 2] = [Self::Full, Self::Small];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Small => "small",
        }
    }
}

/// Namespace and name of Pod number `number`.
pub(crate) fn key(form: Form, number: usize) -> (String, String) {
    let workload = Workload::of(form, number);
    let name = Instance::new(&workload, number).name;
    (workload.namespace, name)
}

/// Pod number `number` at a resourceVersion, as JSON on one line.
pub(crate) fn pod(form: Form, number: usize, version: u64) -> String {
    let workload = Workload::of(form, number);
    let instance = Instance::new(&workload, number);
    let mut json = String::with_capacity(8192);
    let _ = write!(json, r#"{{"kind":"Pod","apiVersion":"v1","metadata":{{"#);
    metadata(&mut json, &workload, &instance, version);
    if form == Form::Full {
        json.push(',');
        managed_fields(&mut json, &workload, &instance);
    }
    json.push_str(r#"},"spec":{"#);
    match form {
        Form::Full => spec(&mut json, &workload, &instance),
        Form::Small => small_spec(&mut json, &workload, &instance),
    }
    json.push_str(r#"},"status":{"#);
    status(&mut json, form, &workload, &instance);
    json.push_str("}}");
    json
}

fn metadata(json: &mut String, workload: &Workload, instance: &Instance, version: u64) {
    let Workload { app, namespace, template_hash, owner_uid, checksum, generation, .. } = workload;
    let Instance { name, uid, created, .. } = instance;
    let _ = write!(
        json,
        concat!(
            r#""name":"{name}","generateName":"{app}-{template_hash}-","namespace":"{namespace}","uid":"{uid}","#,
            r#""resourceVersion":"{version}","creationTimestamp":"{created}","#,
            r#""labels":{{"app":"{app}","pod-template-hash":"{template_hash}","team":"{namespace}","version":"v{generation}"}},"#,
            r#""annotations":{{"checksum/config":"{checksum}"}},"#,
            r#""ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"{app}-{template_hash}","#,
            r#""uid":"{owner_uid}","controller":true,"blockOwnerDeletion":true}}]"#,
        ),
        name = name,
        app = app,
        template_hash = template_hash,
        namespace = namespace,
        uid = uid,
        version = version,
        created = created,
        generation = generation,
        checksum = checksum,
        owner_uid = owner_uid,
    );
}

/// The part of an object that is long, says little, and is in every object of a real server.
fn managed_fields(json: &mut String, workload: &Workload, instance: &Instance) {
    let Instance { created, started, .. } = instance;
    let manager = |json: &mut String, name: &str, time: &str| {
        let _ = write!(
            json,
            r#"{{"manager":"{name}","operation":"Update","apiVersion":"v1","time":"{time}","fieldsType":"FieldsV1","fieldsV1":"#
        );
    };
    json.push_str(r#""managedFields":["#);
    manager(json, "kube-controller-manager", created);
    let _ = write!(
        json,
        concat!(
            r#"{{"f:metadata":{{"f:annotations":{{".":{{}},"f:checksum/config":{{}}}},"f:generateName":{{}},"#,
            r#""f:labels":{{".":{{}},"f:app":{{}},"f:pod-template-hash":{{}},"f:team":{{}},"f:version":{{}}}},"#,
            r#""f:ownerReferences":{{".":{{}},"k:{{\"uid\":\"{owner}\"}}":{{}}}}}},"f:spec":{{"f:containers":{{"#,
        ),
        owner = workload.owner_uid
    );
    for number in 0..workload.containers.len() {
        separate(json, number);
        let _ = write!(json, r#""k:{{\"name\":\"c{number}\"}}":"#);
        json.push_str(concat!(
            r#"{".":{},"f:args":{},"f:env":{".":{},"k:{\"name\":\"SETTING_ONE\"}":{".":{},"f:name":{},"f:value":{}},"#,
            r#""k:{\"name\":\"SETTING_TWO\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"#,
            r#""f:livenessProbe":{".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},"#,
            r#""f:periodSeconds":{},"f:successThreshold":{},"f:timeoutSeconds":{}},"f:name":{},"#,
            r#""f:ports":{".":{},"k:{\"containerPort\":8080,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{},"f:protocol":{}}},"#,
            r#""f:resources":{".":{},"f:limits":{".":{},"f:cpu":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"#,
            r#""f:terminationMessagePath":{},"f:volumeMounts":{".":{},"k:{\"mountPath\":\"/etc/app\"}":{".":{},"f:mountPath":{},"f:name":{}}}}"#,
        ));
    }
    json.push_str(concat!(
        r#"},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"#,
        r#""f:terminationGracePeriodSeconds":{}}}},"#,
    ));
    manager(json, "kubelet", started);
    json.push_str(r#"{"f:status":{"f:conditions":{"#);
    for (number, condition) in ["ContainersReady", "Ready"].into_iter().enumerate() {
        separate(json, number);
        let _ = write!(
            json,
            r#""k:{{\"type\":\"{condition}\"}}":{{".":{{}},"f:lastProbeTime":{{}},"f:lastTransitionTime":{{}},"f:status":{{}},"f:type":{{}}}}"#
        );
    }
    json.push_str(concat!(
        r#"},"f:containerStatuses":{},"f:hostIP":{},"f:phase":{},"f:podIP":{},"#,
        r#""f:podIPs":{".":{},"k:{\"ip\":\"10.0.0.1\"}":{".":{},"f:ip":{}}},"f:startTime":{}}},"subresource":"status"}]"#,
    ));
}

fn spec(json: &mut String, workload: &Workload, instance: &Instance) {
    let Workload { app, namespace, .. } = workload;
    let Instance { node, token_volume, .. } = instance;
    let _ = write!(
        json,
        concat!(
            r#""volumes":[{{"name":"config","configMap":{{"name":"{app}-config","defaultMode":420}}}},"#,
            r#"{{"name":"{token_volume}","projected":{{"sources":[{{"serviceAccountToken":{{"expirationSeconds":3607,"path":"token"}}}},"#,
            r#"{{"configMap":{{"name":"kube-root-ca.crt","items":[{{"key":"ca.crt","path":"ca.crt"}}]}}}},"#,
            r#"{{"downwardAPI":{{"items":[{{"path":"namespace","fieldRef":{{"apiVersion":"v1","fieldPath":"metadata.namespace"}}}}]}}}}],"#,
            r#""defaultMode":420}}}}],"containers":["#,
        ),
        app = app,
        token_volume = token_volume
    );
    for (number, container) in workload.containers.iter().enumerate() {
        separate(json, number);
        let Container { image, port, peer_port, cpu, memory, environment, .. } = container;
        let _ = write!(
            json,
            concat!(
                r#"{{"name":"c{number}","image":"{image}","args":["--port={port}","--log-level=info","--peer={app}.{namespace}.svc"],"#,
                r#""ports":[{{"name":"http","containerPort":{peer_port},"protocol":"TCP"}}],"env":["#,
            ),
            number = number,
            image = image,
            port = port,
            app = app,
            namespace = namespace,
            peer_port = peer_port
        );
        for (at, (name, value)) in environment.iter().enumerate() {
            separate(json, at);
            let _ = write!(json, r#"{{"name":"{name}","value":"{value}"}}"#);
        }
        let _ = write!(
            json,
            concat!(
                r#"],"resources":{{"limits":{{"cpu":"{}m","memory":"{}Mi"}},"requests":{{"cpu":"{}m","memory":"{}Mi"}}}},"#,
                r#""volumeMounts":[{{"name":"config","mountPath":"/etc/app"}},"#,
                r#"{{"name":"{}","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}}],"#,
            ),
            cpu.0, memory.0, cpu.1, memory.1, token_volume
        );
        probe(json, "livenessProbe", "healthz", r#""initialDelaySeconds":10,"#);
        probe(json, "readinessProbe", "readyz", "");
        json.push_str(concat!(
            r#""terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent","#,
            r#""securityContext":{"capabilities":{"drop":["ALL"]},"runAsNonRoot":true,"allowPrivilegeEscalation":false}}"#,
        ));
    }
    let _ = write!(
        json,
        concat!(
            r#"],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","#,
            r#""serviceAccountName":"{app}","serviceAccount":"{app}","nodeName":"{node}","securityContext":{{}},"#,
            r#""schedulerName":"default-scheduler","tolerations":["#,
        ),
        app = app,
        node = node
    );
    for (number, taint) in ["not-ready", "unreachable"].into_iter().enumerate() {
        separate(json, number);
        let _ = write!(
            json,
            r#"{{"key":"node.kubernetes.io/{taint}","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}}"#
        );
    }
    json.push_str(r#"],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority""#);
}

fn probe(json: &mut String, probe: &str, path: &str, delay: &str) {
    let _ = write!(
        json,
        concat!(
            r#""{probe}":{{"httpGet":{{"path":"/{path}","port":"http","scheme":"HTTP"}},{delay}"timeoutSeconds":1,"#,
            r#""periodSeconds":10,"successThreshold":1,"failureThreshold":3}},"#,
        ),
        probe = probe,
        path = path,
        delay = delay
    );
}

fn small_spec(json: &mut String, workload: &Workload, instance: &Instance) {
    let Workload { app, containers, .. } = workload;
    let (image, node) = (&containers[0].image, &instance.node);
    let _ = write!(
        json,
        r#""containers":[{{"name":"c0","image":"{image}"}}],"serviceAccountName":"{app}","nodeName":"{node}""#
    );
}

fn status(json: &mut String, form: Form, workload: &Workload, instance: &Instance) {
    let Instance { created, started, pod_ip, host_ip, restarts, container_ids, .. } = instance;
    json.push_str(r#""phase":"Running","#);
    if form == Form::Small {
        let _ = write!(
            json,
            r#""conditions":[{{"type":"Ready","status":"True","lastTransitionTime":"{started}"}}],"podIP":"{pod_ip}","startTime":"{created}""#
        );
        return;
    }
    json.push_str(r#""conditions":["#);
    let conditions = [
        ("PodReadyToStartContainers", started),
        ("Initialized", created),
        ("Ready", started),
        ("ContainersReady", started),
        ("PodScheduled", created),
    ];
    for (number, (condition, since)) in conditions.into_iter().enumerate() {
        separate(json, number);
        let _ = write!(
            json,
            r#"{{"type":"{condition}","status":"True","lastProbeTime":null,"lastTransitionTime":"{since}"}}"#
        );
    }
    let _ = write!(
        json,
        concat!(
            r#"],"hostIP":"{host_ip}","hostIPs":[{{"ip":"{host_ip}"}}],"podIP":"{pod_ip}","podIPs":[{{"ip":"{pod_ip}"}}],"#,
            r#""startTime":"{created}","containerStatuses":["#,
        ),
        host_ip = host_ip,
        pod_ip = pod_ip,
        created = created
    );
    for (number, (container, id)) in workload.containers.iter().zip(container_ids).enumerate() {
        separate(json, number);
        let Container { image, digest, .. } = container;
        let repository = image.rsplit_once(':').map_or(&**image, |(repository, _)| repository);
        let _ = write!(
            json,
            concat!(
                r#"{{"name":"c{number}","state":{{"running":{{"startedAt":"{started}"}}}},"lastState":{{}},"ready":true,"#,
                r#""restartCount":{restarts},"image":"{image}","imageID":"{repository}@sha256:{digest}","#,
                r#""containerID":"containerd://{id}","started":true}}"#,
            ),
            number = number,
            started = started,
            restarts = restarts,
            image = image,
            repository = repository,
            digest = digest,
            id = id
        );
    }
    json.push_str(r#"],"qosClass":"Burstable""#);
}

fn separate(json: &mut String, number: usize) {
    if number > 0 {
        json.push(',');
    }
}
