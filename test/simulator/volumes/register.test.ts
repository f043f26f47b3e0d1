/** Registering volumes, and reading what was registered. */
import assert from "node:assert/strict";
import { withSimulator } from "../../support/simulator";
import { section } from "../exchanges";
import { call } from "../requests";
import { claim, data, listed, place, register, seed } from "./place";

const read = { ...listed, Version: "1.2.0", Allocations: [], ReadAllocs: {}, WriteAllocs: {} };
const bare = { ID: "data", PluginID: "shares" };

section("Volumes, Resources and their fields", place)`
    the register payload answers nothing, and a read shows the document's fields
        ${register(data)} -> 200 ""
        GET volume/csi/data -> 200 = ${read} | content-type: application/json
    neither name nor external id, topologies nor modes are required
        ${register(bare)} -> 200
        GET volume/csi/data -> 200 {"Name": "", "Namespace": "default", "ExternalID": "", "Topologies": [], "AccessMode": "",
            "AttachmentMode": "", "ControllerRequired": false, "ControllersExpected": 0, "NodesHealthy": 1, "Provider": "", "Version": ""}
    the body's id and namespace count, not the path's and the query's
        PUT volume/csi/data?namespace=default ${{ Volumes: [{ ...data, ID: "other", Namespace: "team" }] }} -> 200
        GET volume/csi/other?namespace=team -> 200
        GET volume/csi/other -> 404
        GET volume/csi/data -> 404
    the query's namespace counts where the body names none
        PUT volume/csi/data?namespace=team ${{ Volumes: [bare] }} -> 200
        GET volume/csi/data?namespace=team -> 200 {"Namespace": "team"}
    keys are taken in any case, and unknown ones dropped
        PUT volume/csi/data {"volumes": [{"id": "data", "pluginid": "disks", "NAME": "Data", "Colour": "blue"}]} -> 200
        GET volume/csi/data -> 200 {"Name": "Data", "Colour": "<none>"}
    health follows the plugin at the moment of reading
        ${register(data)} -> 200
        PATCH /simulator/plugins/disks {"healthy": false} -> 200 {"id": "disks", "healthy": false}
        GET volume/csi/data -> 200 {"Schedulable": false, "ControllersHealthy": 0, "ControllersExpected": 1, "NodesHealthy": 0,
            "NodesExpected": 2, "CreateIndex": 1, "ModifyIndex": 1}
        PATCH /simulator/plugins/none {"healthy": false} -> 404
    indexes count writes
        ${register(data)} -> 200
        ${register({ ...data, ID: "more" })} -> 200
        ${claim("alloc-1")}
        GET volume/csi/data -> 200 {"CreateIndex": 1, "ModifyIndex": 3}
        GET volume/csi/more -> 200 {"CreateIndex": 2, "ModifyIndex": 2}
`;

section("Volumes, Endpoints: PUT registers an external volume", place)`
    registering an existing volume is an error, an identical one too
        ${register(data)} -> 200
        ${register(data)} -> 500 volume exists: data | content-type: text/plain; charset=utf-8
        ${register({ ...data, Name: "new" })} -> 500 volume exists: data
        GET volume/csi/data -> 200 {"Name": "Data"}
        ${register({ ...data, Namespace: "team" })} -> 200
    a payload without a volume is refused
        ${["null", "{}", '{"Volumes":[]}', '{"Volumes":null}'].map(
            (body) => `PUT volume/csi/data ${body} -> 500 missing volume definition`,
        )}
    an id and a plugin are required
        ${register({})} -> 500 validation: missing volume id, missing plugin id
        ${register({ ID: "data" })} -> 500 validation: missing plugin id
        ${register({ PluginID: "disks" })} -> 500 validation: missing volume id
    the plugin is known, and its controller healthy if it needs one
        ${register({ ...data, PluginID: "none" })} -> 500 no CSI plugin named: none could be found
        ${register({ ...data, PluginID: "sick" })} -> 500 no healthy controllers for CSI plugin: sick
        ${register({ ...data, PluginID: "sick-nodes" })} -> 200
    a body that cannot be read is refused
        PUT volume/csi/data -> 400 Request body is empty
        PUT volume/csi/data {"Volumes":[ -> 400 unexpected EOF
        PUT volume/csi/data {"Volumes":[]} more -> 400 invalid character 'm' after top-level value
        PUT volume/csi/data [] -> 400 json: cannot unmarshal array into a register payload
        PUT volume/csi/data hello -> 400
        PUT volume/csi/data {"Volumes":{}} -> 400 json: cannot unmarshal object into Go struct field CSIVolume.Volumes of an array
        PUT volume/csi/data {"Volumes":[1]} -> 400
        PUT volume/csi/data {"Volumes":[null]} -> 500
        PUT volume/csi/data {"Volumes":[{"ID":7}]}
            -> 400 json: cannot unmarshal number into Go struct field CSIVolume.Volumes.ID of type string
        PUT volume/csi/data {"Volumes":[{"Name":true}]} -> 400 ~ unmarshal bool into
        PUT volume/csi/data {"Volumes":[{"Topologies":{}}]} -> 400
        PUT volume/csi/data {"Volumes":[{"Topologies":[1]}]} -> 400
        PUT volume/csi/data {"Volumes":[{"Topologies":[{"zone":null}]}]} -> 400 ~ unmarshal null into
    all volumes of a payload are registered, or none
        ${register(data, { ...data, ID: "more", PluginID: "none" })} -> 500
        GET volume/csi/data -> 404
        ${register(data, data)} -> 500 volume exists: data
        ${register(data, { ...data, ID: "more" })} -> 200
        GET volume/csi/more -> 200
        ${register({ ...data, ID: "third" }, data)} -> 500
        GET volume/csi/third -> 404
    the list takes registrations as well
        PUT volumes ${{ Volumes: [{ ...data, ID: "one" }] }} -> 200
        POST volumes ${{ Volumes: [{ ...data, ID: "two" }] }} -> 200
        GET volume/csi/one -> 200
        GET volume/csi/two -> 200
    a volume can be seeded as if registered; its plugin may be gone
        POST /simulator/seed ${{ volumes: [data, { ID: "orphan", PluginID: "gone" }] }} -> 204
        GET volume/csi/data -> 200 {"Topologies": [{"zone": "north"}, {"zone": "south", "rack": "4"}]}
        GET volume/csi/orphan -> 200 {"Schedulable": false, "Provider": "", "Version": ""}
        POST /simulator/seed ${{ volumes: [{ ...data, Name: "again" }] }} -> 204
        GET volume/csi/data -> 200 {"Name": "again"}
        POST /simulator/seed {"volumes": [{"ID": "half"}]} -> 400
`;

section("Volumes, Endpoints: GET /v1/volume/csi/:volume_id, the full ID", place)`
    a volume that is not there is not found, in plain text
        ${register(data)} -> 200
        ${["none", "constructor", "data?namespace=team", "data?namespace=*"].map(
            (id) => `GET volume/csi/${id} -> 404 volume not found | content-type: text/plain; charset=utf-8`,
        )}
    an id may need escaping
        ${register({ ...data, ID: "blue disk?#%:ü" })} -> 200
        GET volume/csi/${encodeURIComponent("blue disk?#%:ü")} -> 200 {"ID": "blue disk?#%:ü"}
        DELETE volume/csi/${encodeURIComponent("blue disk?#%:ü")} -> 200
    an escaped slash parts the path
        ${register({ ...data, ID: "a/b" })} -> 200
        GET volume/csi/a%2Fb -> 404 resource not found
        DELETE volume/csi/a%2Fb -> 404 resource not found
        DELETE volume/csi/a%2Fb/detach?node=a1b2c3 -> 404 resource not found
    other methods are refused
        POST volume/csi/data ${{ Volumes: [data] }} -> 405 Invalid method
        GET volume/csi/data/detach -> 405 Invalid method
        DELETE volumes -> 405 Invalid method
`;

describe("simulator: Volumes, Endpoints: PUT in parallel", () => {
    const simulator = withSimulator(seed);

    it("one of ten equal registrations is done", async () => {
        const parts = { headers: { authorization: "Bearer any" }, body: { Volumes: [data] } };
        const calls = Array.from({ length: 10 }, () => call("PUT", `${simulator.url}/v1/volume/csi/data`, parts));
        const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
        assert.deepEqual(statuses, [200, ...Array(9).fill(500)]);
    });
});
