import { planted } from "../support/canaries";
import type { NamedObjectFacts } from "../support/resource-facts";

const path = "/v1/auth/azure/config";
const required = { tenantId: "tenant-1", resource: "https://secrets.example/" };
const full = {
    ...required,
    mount: "azure",
    namespace: "team",
    environment: "AzureChinaCloud",
    clientId: "client-1",
    maxRetries: 5,
    maxRetryDelay: "2m",
    retryDelay: 2,
    clientSecret: "planted",
};
const config = { tenantId: "tenant-1", resource: "https://secrets.example/", clientId: "client-1" };

/** The configuration of a login method. */
export const authConfig: NamedObjectFacts = {
    type: "AuthConfig",
    // The service takes omitted fields from its environment, which `loginSurroundings` sets.
    seed: {
        mounts: ["azure", "clouda", "edge"],
        loginSurroundings: { tenant_id: "tenant-0", resource: "https://own.example/" },
    },
    id: "team@auth/azure/config",
    minimal: { namespace: "team" },
    optional: ["namespace"],
    full,
    changes: [
        { tenantId: "tenant-2" },
        { tenantId: undefined },
        { resource: "https://other.example/" },
        { resource: undefined, tenantId: undefined },
        { environment: undefined },
        { environment: "AzureGermanCloud" },
        { clientId: "" },
        { clientId: undefined, maxRetries: undefined, maxRetryDelay: undefined, retryDelay: undefined },
        { maxRetries: 0 },
        { maxRetryDelay: "90s", retryDelay: "1h" },
    ],
    replaces: [{ namespace: "other" }, { mount: "edge" }],
    spellings: [
        { maxRetryDelay: "120s", retryDelay: "2s" },
        { maxRetryDelay: 120, mount: "/azure/" },
        { mount: undefined, namespace: "/team/" },
        { environment: "CloudAChinaCloud" },
    ],
    path,
    requests: {
        method: "POST",
        minimal: {
            tenant_id: "",
            resource: "",
            environment: "AzurePublicCloud",
            client_id: "",
            max_retries: 3,
            max_retry_delay: "60s",
            retry_delay: "4s",
        },
        full: {
            tenant_id: "tenant-1",
            resource: "https://secrets.example/",
            environment: "AzureChinaCloud",
            client_id: "client-1",
            max_retries: 5,
            max_retry_delay: "120s",
            retry_delay: "2s",
            client_secret: "planted",
        },
    },
    secrets: ["clientSecret"],
    unseen: ["clientSecret"],
    // A write keeps omitted fields, except the retry settings, which it resets.
    drift: ["clientId", "maxRetries", "maxRetryDelay", "retryDelay"],

    refused: [
        [{ tenantId: "" }, "tenantId"],
        [{ resource: " " }, "resource"],
        [{ environment: "Junk" }, "environment"],
        [{ maxRetries: -1 }, "maxRetries"],
        [{ maxRetries: 2 ** 31 }, "maxRetries"],
        [{ retryDelay: "soon" }, "retryDelay"],
        [{ clientSecret: 5 }, "clientSecret"],
        [{ mount: "a//b" }, "mount"],
    ],
    // The document lists this cloud, and Vault refuses it.
    warned: [[{ environment: "AzureGermanCloud" }, "environment"]],
    shown: [
        [{ clientId: "c-1" }, { tenant_id: "t-0", resource: "r-0" }],
        [{ maxRetryDelay: "60s" }, { max_retry_delay: 60_000_000_000, retry_delay: 4_000_000_000 }],
        [{ maxRetryDelay: "60s" }, { max_retry_delay: "60s", retry_delay: "4s" }],
        [{ maxRetryDelay: "60s" }, { max_retry_delay: "1m0s", retry_delay: 4 }],
        [{ maxRetryDelay: "60s" }, { max_retry_delay: undefined, retry_delay: undefined }],
        [{ maxRetryDelay: "60s" }, { max_retry_delay: 61_000_000_000, retry_delay: "4s" }, "maxRetryDelay"],
    ],
    headers: { "x-vault-namespace": "team" },
    drifted: { client_id: "somebody", retry_delay: "7s" },
    beside: { adopt: true },
    rest: { rootPasswordTtl: "720h" },
    edited: { clientId: "c-2" },
    immutable: ["mount", "namespace"],
    places: { path: ["mount"], elsewhere: ["namespace"], ids: ["auth/{}/config", "{}@auth/azure/config"] },
    functions: {
        getAuthConfig: { args: {}, places: ["mount", "namespace"] },
    },
    faults: [
        {
            inputs: { ...config, clientSecret: planted.secret },
            edited: { ...config, clientSecret: planted.edited, retryDelay: "9s" },
            theirs: { ...config, tenantId: "tenant-2" },
        },
    ],
    naming: "mount",
    copies: [
        (mount) => ({
            inputs: { ...config, mount },
            edited: { ...config, mount, retryDelay: "9s" },
            seed: { mounts: [mount] },
        }),
    ],
};
