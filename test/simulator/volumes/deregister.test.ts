/** Claims, and the operations that they stand in the way of: deregistering and detaching. */
import { section } from "../exchanges";
import { place as bare, claim, data, register, seed } from "./place";

const place = { ...bare, seed: { ...seed, volumes: [data] } };
const end = (allocation: string) => `PATCH /simulator/claims/${allocation} {"status": "complete"} -> 200`;
const allocation = {
    ...{ ID: "a", EvalID: "~ ^[-0-9a-f]{36}$", Name: "web.main[0]", NodeID: "a1b2c3", JobID: "web", TaskGroup: "main" },
    ...{ PreviousAllocation: "", NextAllocation: "", DesiredStatus: "run", DesiredDescription: "" },
    ...{ ClientStatus: "running", ClientDescription: "Tasks are running", CreateIndex: 2, ModifyIndex: 2 },
    ...{ CreateTime: "~ ^\\d{19}$", ModifyTime: "~ ^\\d{19}$", RescheduleTracker: { Events: [] } },
};
const event = {
    ...{ Type: "Started", Time: "~ ^\\d{19}$", RestartReason: "", SetupError: "", DriverError: "", Message: "" },
    ...{ KillError: "", KillReason: "", DownloadError: "", ValidationError: "", FailedSibling: "", SecretsError: "" },
    ...{ TaskSignalReason: "", TaskSignal: "", DriverMessage: "", ExitCode: 0, Signal: 0, KillTimeout: 0 },
    ...{ StartDelay: 0, DiskLimit: 0, FailsTask: false },
};
const task = {
    ...{ State: "running", StartedAt: "~ ^\\d{4}-.*Z$", LastRestart: "0001-01-01T00:00:00Z" },
    ...{ FinishedAt: "0001-01-01T00:00:00Z", Restarts: 0, Failed: false, Events: [event] },
};

section("Volumes, Resources and their fields: allocation records", place)`
    a claim shows as an allocation with the document's fields, under ReadAllocs or WriteAllocs
        ${claim("a", { job: "web", write: true })}
        GET volume/csi/data -> 200 {"ReadAllocs=": {}, "WriteAllocs=": {"a": null},
            "Allocations=": [${{ ...allocation, TaskStates: { main: task } }}]}
        ${claim("b")}
        GET volume/csi/data -> 200 {"ReadAllocs=": {"b": null}, "WriteAllocs=": {"a": null}}
        POST /simulator/claims {"volume": "data", "node": "a1"} -> 200 {"allocation": "~ ^[-0-9a-f]{36}$"}
    it changes with its allocation's status, and goes when it is deleted
        ${claim("a")}
        PATCH /simulator/claims/a {"status": "failed"} -> 200
        GET volume/csi/data -> 200 {"ModifyIndex": 3, "Allocations": [{"JobID": "job", "DesiredStatus": "stop", "ClientStatus": "failed",
            "ClientDescription": "All tasks have ended", "CreateIndex": 2, "ModifyIndex": 3,
            "TaskStates": {"main": {"State": "dead", "Failed": true, "FinishedAt": "~ ^2"}}}]}
        DELETE /simulator/claims/a -> 200
        GET volume/csi/data -> 200 {"ModifyIndex": 4, "Allocations": []}
        DELETE /simulator/claims/a -> 404
        PATCH /simulator/claims/a {"status": "failed"} -> 404
    a claim needs a volume, a node, a known status, and an allocation that has none yet
        POST /simulator/claims {"volume": "none", "node": "a1"} -> 404
        POST /simulator/claims {"volume": "data", "namespace": "team", "node": "a1"} -> 404
        POST /simulator/claims {"volume": "data"} -> 400
        POST /simulator/claims {"volume": "data", "node": "a1", "status": "paused"} -> 400
        POST /simulator/claims {"volume": "data", "node": "a1", "write": "yes"} -> 400
        ${claim("a")}
        POST /simulator/claims {"volume": "data", "node": "a1", "allocation": "a"} -> 409
`;

section("Volumes, Endpoints: DELETE deregisters the volume", place)`
    a free volume goes, and may come again
        DELETE volume/csi/data -> 200 ""
        GET volume/csi/data -> 404
        ${register(data)} -> 200
    a missing volume is an error, by force too
        DELETE volume/csi/none -> 500 volume not found: none
        DELETE volume/csi/none?force=true -> 500 volume not found: none
        DELETE volume/csi/data?namespace=team -> 500 volume not found: data
    error if the volume is in use, running or ended
        ${["running", "complete", "failed", "lost"].flatMap((status) => [
            claim("a", { status }),
            "DELETE volume/csi/data -> 500 volume in use: data",
            "DELETE /simulator/claims/a -> 200",
        ])}
        DELETE volume/csi/data -> 200
    with force=true claims of terminal allocations are dropped
        ${claim("a", { status: "complete" })}
        ${claim("b", { status: "failed", write: true })}
        DELETE volume/csi/data?force=true -> 200
        ${register(data)} -> 200
        GET volume/csi/data -> 200 {"Allocations": [], "CreateIndex": 6}
    and an error results if the volume has running allocations
        ${claim("a", { status: "complete" })}
        ${claim("b")}
        DELETE volume/csi/data?force=true -> 500 volume in use: data
        GET volume/csi/data -> 200 {"ReadAllocs=": {"a": null, "b": null}}
    force is a boolean, false unless told otherwise
        ${claim("a", { status: "complete" })}
        ${["", "0", "f", "F", "false", "FALSE", "False"].map((force) => `DELETE volume/csi/data?force=${force} -> 500`)}
        DELETE volume/csi/data?force=junk -> 400 invalid force value
        ${["1", "t", "T", "TRUE", "true", "True"].flatMap((force) => [
            `DELETE volume/csi/data?force=${force} -> 200`,
            `${register(data)} -> 200`,
            claim("a", { status: "complete" }),
        ])}
    the plugin is not needed
        PATCH /simulator/plugins/disks {"healthy": false} -> 200
        DELETE volume/csi/data -> 200
`;

section("Volumes, Endpoints: DELETE …/detach detaches the volume from the given client node", place)`
    node is required, before anything else
        DELETE volume/csi/none/detach -> 400 detach requires node ID
        DELETE volume/csi/none/detach?node= -> 400 detach requires node ID
    a missing volume is an error
        DELETE volume/csi/none/detach?node=a1b2c3 -> 500 no such volume
        DELETE volume/csi/data/detach?node=a1b2c3&namespace=team -> 500 no such volume
    error if the volume is in use on that node
        ${claim("a")}
        DELETE volume/csi/data/detach?node=a1b2c3 -> 500 volume in use: data
        ${end("a")}
        DELETE volume/csi/data/detach?node=a1b2c3 -> 200 ""
    the ended claims of that node are released, and no others
        ${claim("here", { status: "complete" })}
        ${claim("there", { status: "complete", node: "a1ffee" })}
        ${claim("running", { node: "a1ffee" })}
        DELETE volume/csi/data/detach?node=a1b2c3 -> 200
        GET volume/csi/data -> 200 {"ReadAllocs=": {"there": null, "running": null}}
    a node without claims is no error, and no write
        DELETE volume/csi/data/detach?node=ffff -> 200
        GET volume/csi/data -> 200 {"ModifyIndex": 1} | x-volumes-index: 1
`;
