/** Listing volumes. */
import { section } from "../exchanges";
import { claim, data, listed, place, register } from "./place";

const lists = (query: string, ...ids: string[]) =>
    `GET volumes?${query} -> 200 ${JSON.stringify(ids.map((ID) => ({ ID })))}`;
const made = [
    `${register({ ...data, ID: "m2" }, { ...data, ID: "m1", PluginID: "shares" })} -> 200`,
    `${register({ ...data, ID: "n1", Namespace: "team" })} -> 200`,
];

section("Volumes, Endpoints: GET /v1/volumes", place)`
    type: empty list if omitted
        ${made}
        GET volumes -> 200 []
        GET volumes?type= -> 200 []
        GET volumes?namespace=* -> 200 []
    type: only csi supported
        ${["CSI", "junk", "host"].map((type) => `GET volumes?type=${type} -> 404 resource not found`)}
    a listed volume has the document's fields
        ${register(data)} -> 200
        GET volumes?type=csi -> 200 = ${[listed]}
    volumes come in the order of namespace and id, of one namespace or of all
        ${made}
        ${lists("type=csi", "m1", "m2")}
        ${lists("type=csi&namespace=team", "n1")}
        ${lists("type=csi&namespace=none")}
        ${lists("type=csi&namespace=*", "m1", "m2", "n1")}
    prefix: of the id, in its case
        ${made}
        ${lists("type=csi&prefix=m2", "m2")}
        ${lists("type=csi&prefix=M")}
    plugin_id: plugin ID prefix filter
        ${made}
        ${register({ ...data, ID: "d1", PluginID: "d15c-north" })} -> 200
        ${lists("type=csi&plugin_id=d15c", "d1")}
        ${lists("type=csi&plugin_id=", "d1", "m1", "m2")}
        ${lists("type=csi&plugin_id=ffff")}
        ${lists("type=csi&plugin_id=d1&namespace=*", "d1")}
    node_id: Node ID prefix filter, of the nodes where the volume is used
        ${made}
        ${claim("alloc-1", { volume: "m2" })}
        ${claim("alloc-2", { volume: "m2", node: "ee" })}
        ${lists("type=csi&node_id=a1b2", "m2")}
        ${lists("type=csi&node_id=a1b2c3", "m2")}
        ${lists("type=csi&node_id=ffff")}
        ${lists("type=csi&node_id=a1b2&plugin_id=d15c")}
    the prefix must have an even number of hexadecimal characters
        ${["node_id", "plugin_id"].flatMap((name) =>
            ["a", "a1b", "A1", "zz", "disk"].map(
                (prefix) =>
                    `GET volumes?type=csi&${name}=${prefix} -> 400 Invalid ${name}: must have an even number of hexadecimal digits`,
            ),
        )}
`;
