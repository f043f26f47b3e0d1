/** Advice for failed requests, whatever their purpose: it follows the server's own words. */

import { type Documented, failure, sentence } from "../catalogue";

/** 401 or 403. */
export const denied = sentence({
    message: "The token is missing, invalid or expired, or lacks the right for this request.",
    cause: "The service answered 401 or 403. That never counts as gone: a refresh fails, and the state is kept.",
    action: "Check the token and its rights, and that the key of the settings is the product's for a real server: `vault` instead of `manager`. If a token ends in the middle of a run, set another one and run the same command again. {refresh} and {destroy} use the configuration of the last {up} unless run with `--run-program`; a token in the environment is always used.",
});

/** 401 or 403 of another origin than the service's. */
export const deniedElsewhere = sentence({
    message:
        "The answer came from {origin}, to which the service led the request: the token is sent only to the address in the settings.",
    cause: "The service redirected a read to another origin, which refused it.",
    action: "Set the address that answers without a redirect.",
});

/** 503 of a sealed secrets manager. */
export const notUnsealed = sentence({
    message: "Unseal the server: it serves nothing until then.",
    cause: "The secrets manager is sealed, as after each start of it, or was never initialised. Each request was repeated, up to `maxRetries`.",
    action: "Unseal it, or initialise it first if it is new, and run again.",
});

/** 500 of a scheduler that does not know the region. */
export const noRegion = sentence({
    message: "Correct `region` in the settings: the servers know no such region.",
    cause: "The setting `region`, or its environment variable, names a region that the scheduler's servers do not know.",
    action: "Correct it, or remove it: the server's own region is used then.",
});

/** 401, 403, 404 or 410 at an address of a record, where no token is sent. */
export const spentAddress = sentence({
    message:
        "The address comes from a version's record and takes no token: it has expired, or its content is gone. Run again, which reads a new address.",
    cause: "The object store refused an upload or a download. Such addresses expire, or can be used once; a version without content has none.",
    action: "Run again. If that does not help, check that the version has its content, and that no proxy is in the way.",
});

/** 404 in another form than the service's own, or 501. */
export const nothingServed = sentence({
    message: "Nothing is served under this path: the address in the settings, or the mount, is probably wrong.",
    cause: "A 404 that is not the service's own way to say that an object is absent, or a 501.",
    action: "Check `address` and `mount`.",
});

/** 404 of a secrets manager that has no such mount. */
export const noMount = sentence({
    message:
        "Nothing is mounted there: the mount, or the address in the settings, is probably wrong. If the mount was removed on purpose, {forget} removes the resource from state.",
    cause: "The secrets manager has no mount under this path. It gives the same answer for a wrong path, so the object does not count as gone.",
    action: "Check `mount`, `namespace` and `address`. Where the mount was removed on purpose, remove its resources from state ({forget}).",
});

/** 429 with the time to wait. */
export const limitedFor = sentence({
    message: "Try again in {seconds} s.",
    cause: "The service limits the rate of requests, and asked for a wait of more than five minutes or for more than ten in a row.",
    action: "Run again after that time.",
});

/** 429 without the time to wait. */
export const limitedNow = sentence({
    message: "Try again later, or lower `maxConcurrency`.",
    cause: "The service limits the rate of requests. The request was repeated ten times, with growing waits.",
    action: "Run again later, or lower `maxConcurrency` in the settings.",
});

/** No connection, or a cut one. */
export const notReached = sentence({
    message: "Is the service running, and its address right?",
    cause: "There was no connection, or it was cut. Where that is safe, the request was repeated up to `maxRetries` times.",
    action: "Check the address, the network and the proxies, and run again: nothing is done twice.",
});

/** No connection because of a proxy. */
export const proxyInTheWay = sentence({
    message: "Check the proxy that HTTPS_PROXY or HTTP_PROXY names in the environment.",
    cause: "Requests go through that proxy, which was not reached, or refused. 407: it wants a user and a password.",
    action: "Correct the proxy's address, with user and password if it wants them, or name the service's host in `NO_PROXY`.",
});

/** No TLS connection. */
export const handshakeFailed = sentence({
    message:
        "Does the server speak https: under this address? If so, compare its certificate with `caFile` (its authority) and `tlsServerName` (its host name), and set `clientCertFile` if it wants a certificate.",
    cause: "The TLS handshake failed, for the reason that the code names: the certificate is of an authority that is not known here, is for another host name, has expired or is not valid yet; or the server wants a client certificate, speaks only versions before TLS 1.2, or no TLS at all.",
    action: "Correct `address`, `caFile`, `tlsServerName` or `clientCertFile` in the settings, or the server's certificate.",
});

/** No whole answer within `timeout`. */
export const tooSlow = sentence({
    message: "Is the service slow, or the setting `timeout` too short?",
    cause: "No whole answer came in time. Where that is safe, the request was repeated up to `maxRetries` times.",
    action: "Check the service, or raise `timeout` in its settings.",
});

/** An answer in another form than the service's own. */
export const foreignAnswer = sentence({
    message: "Does the address in the settings lead to the service itself, or to a sign-in page or gateway in front?",
    cause: "A web page or another type of body came where the service answers with JSON.",
    action: "Set the address under which the service itself answers.",
});

/** A redirect that is not followed. */
export const redirected = sentence({
    message: "The address in the settings is probably wrong: set the one that answers without a redirect.",
    cause: "The service redirected a write, or a read to nowhere or too often.",
    action: "Set the address that it leads to, if that is the service's own.",
});

/** A value that no header can carry. */
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
