/** What requests may fail with, whatever they are for: these sentences follow what the server said. */

import { type Documented, failure, sentence } from "../catalogue";

/** 401 or 403. */
export const denied = sentence({
    message: "The token is missing, invalid or expired, or lacks the right for this request.",
    cause: "The service answered 401 or 403. That never counts as gone: a refresh fails, and the state is kept.",
    action: "Check the token and its rights. If a token ends in the middle of a run, set another one and run the same command again. {refresh} and {destroy} use the configuration of the last {up} unless run with `--run-program`; a token in the environment is always used.",
});

/** The same of another server than the service's own. */
export const deniedElsewhere = sentence({
    message:
        "The request was led to another address than the one in the settings, where the token is not sent: {origin}.",
    cause: "The service redirected a read to another origin, which refused it.",
    action: "Set the address that answers without a redirect.",
});

/** 503 of a secrets manager that is locked up. */
export const notUnsealed = sentence({
    message: "Unseal the server: it serves nothing until then.",
    cause: "The secrets manager is sealed, as after each start of it, or was never initialised. Each request was repeated, up to `maxRetries`.",
    action: "Unseal it, or initialise it first if it is new, and run again.",
});

/** 500 of a scheduler that knows no such region. */
export const noRegion = sentence({
    message: "Correct `region` in the settings: the servers know no such region.",
    cause: "The setting `region`, or the environment variable that stands for it, names a region that the scheduler's servers are not joined with.",
    action: "Correct it, or leave it out for the region of the server that is asked.",
});

/** 401, 403, 404 or 410 at an address of a record, where no token is sent. */
export const spentAddress = sentence({
    message:
        "The address came from a version's record and takes no token: it is expired or used up, or what it leads to is gone. Run again, which reads the record anew.",
    cause: "The object store refused an upload or a download. Such addresses serve for a while, or once; a retired content has none.",
    action: "Run again; if that does not help, look whether the version still holds its content, and whether a proxy is in the way.",
});

/** 404 in no form of the service's own, or 501. */
export const nothingServed = sentence({
    message: "Nothing is served under this path: the address in the settings, or the mount, is probably wrong.",
    cause: "A 404 that is not the service's own way to say that an object is absent, or a 501.",
    action: "Check `address` (that of the state versions ends in `/api/v2`) and `mount`.",
});

/** The same of a secrets manager, which says so of mounts. */
export const noMount = sentence({
    message:
        "Nothing is mounted there: the mount, or the address in the settings, is probably wrong. If the mount was removed with all that it held, {forget} forgets what this was.",
    cause: "The secrets manager has no mount under this path. It does not tell a mount that was removed from one that never was, so that nothing is taken for gone.",
    action: "Check `mount`, `namespace` and `address`. Where the mount was removed on purpose, remove its resources from state ({forget}).",
});

/** 429, and the service says until when. */
export const limitedFor = sentence({
    message: "Try again in {seconds} s.",
    cause: "The service limits the rate of requests, and asked for a wait of more than five minutes or for more than ten in a row.",
    action: "Run again after that time.",
});

/** 429. */
export const limitedNow = sentence({
    message: "Try again later, or lower `maxConcurrency`.",
    cause: "The service limits the rate of requests. The request was repeated ten times, with growing waits.",
    action: "Run again later, or lower `maxConcurrency` in the settings.",
});

/** No connection came about. */
export const notReached = sentence({
    message: "Is the service running, and its address right?",
    cause: "No connection came about, or it was cut. What is safe to repeat was repeated, up to `maxRetries`.",
    action: "Check the address, the network and the proxies, and run again: nothing is done twice.",
});

/** No connection came about, because of a proxy. */
export const proxyInTheWay = sentence({
    message: "Check the proxy that HTTPS_PROXY or HTTP_PROXY names in the environment.",
    cause: "Requests go through that proxy, which was not reached, or refused. 407: it wants a user and a password.",
    action: "Correct the proxy's address, with user and password if it wants them, or name the service's host in `NO_PROXY`.",
});

/** No secure connection came about. */
export const handshakeFailed = sentence({
    message:
        "Does the server speak https: under this address? If so, compare its certificate with `caFile` (its authority) and `tlsServerName` (its host name), and set `clientCertFile` if it wants a certificate.",
    cause: "The TLS handshake failed, for the reason that the code names: the certificate is of an authority that is not known here, is for another host name, has expired or is not valid yet; or the server wants a client certificate, speaks only versions before TLS 1.2, or no TLS at all.",
    action: "Correct `address`, `caFile`, `tlsServerName` or `clientCertFile` in the settings, or the server's certificate.",
});

/** The time of a request was over. */
export const tooSlow = sentence({
    message: "Is the service slow, or the setting `timeout` too short?",
    cause: "No whole answer came in time. What is safe to repeat was repeated, up to `maxRetries`.",
    action: "Look at the service, or raise `timeout` in its settings.",
});

/** An answer in another form than the service's own. */
export const foreignAnswer = sentence({
    message: "Is the address in the settings the service's own, without a sign-in page or gateway in front?",
    cause: "A web page or another type of body came where the service answers with JSON.",
    action: "Set the address under which the service itself answers.",
});

/** A redirect that is not followed. */
export const redirected = sentence({
    message: "The address in the settings is probably wrong: set the one that answers without a redirect.",
    cause: "The service redirected a write, or a read to nowhere or too often.",
    action: "Set the address that it leads to, if that is the service's own.",
});

/** A header cannot carry its value. */
export const noHeader = failure({
    code: "header",
    message: "the header {name} would hold a character that no header can carry, such as a line break",
    cause: "A namespace or another value that travels in a header holds such a character. Nothing was sent.",
    action: "Correct the value",
});

/** All of them, as the page of errors lists them. */
export const requestErrors: readonly Documented[] = [
    denied,
    deniedElsewhere,
    notUnsealed,
    noRegion,
    spentAddress,
    nothingServed,
    noMount,
    limitedFor,
    limitedNow,
    notReached,
    proxyInTheWay,
    handshakeFailed,
    tooSlow,
    foreignAnswer,
    redirected,
    noHeader,
];
