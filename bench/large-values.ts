/** Measures the merge of two large states beside reading both as JSON, and the removal of a long secret from a text. */

import { redacted } from "../src/core/redaction";
import { bringBack, partsOf } from "../src/services/state-versions/part-of-state";
import { type Figure, inTurns, median, ratio } from "./figures";

const megabyte = 1024 * 1024;

/** A state of about 100 MB, as Terraform writes it. */
function stateFrom(first: number, serial: number): Buffer {
    const about = {
        mode: "managed",
        type: "aws_instance",
        provider: 'provider["example.com/hashicorp/aws"]',
    };
    const attributes = {
        tags: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`tag-${index}`, `"${serial}"`])),
    };
    const resources = Array.from({ length: 9_000 }, (_, number) => ({
        ...{ ...about, name: `r${first + number}` },
        instances: Array.from({ length: 8 }, (_, key) => ({
            ...{
                index_key: key,
                schema_version: 1,
                private: "eyJ".repeat(60),
                dependencies: ["aws_vpc.a", "aws_subnet.b"],
            },
            attributes: { id: `i-${first + number}-${key}`, user_data: "x".repeat(300), ...attributes },
        })),
    }));
    return Buffer.from(JSON.stringify({ version: 4, serial, lineage: "l", outputs: {}, resources }, null, 2));
}

export async function measure(): Promise<Figure[]> {
    const [old, now] = [stateFrom(0, 1), stateFrom(4_500, 2)];
    const seconds = (act: () => unknown) => () => {
        const begun = process.cpuUsage();
        act();
        const { user, system } = process.cpuUsage(begun);
        return (user + system) / 1e6;
    };
    const secret = 'MIIEpAIBAAKCAQEA "7Zq" +/xV=\n'.repeat(35_000).slice(0, 1_000_000);
    const quotation = JSON.stringify(secret);
    const merge = () => bringBack(partsOf(now, "sv-2"), partsOf(old, "sv-1"), ["aws_instance.r7"]).stateAfter(0);
    // First, because the memory of a process never falls.
    merge();
    const memory = `${Math.round(process.resourceUsage().maxRSS / 1024)} MB`;
    const times = await inTurns(3, {
        read: seconds(() => [now, old].map((text) => JSON.parse(text.toString()))),
        merge: seconds(merge),
        redact: seconds(() => {
            if (redacted(quotation, [secret]) !== '"[secret]"') throw new Error("the secret is not removed");
        }),
    });
    const sizes = [old, now].map((text) => Math.round(text.length / megabyte)).join(" and ");
    return [
        [`CPU of merging states of ${sizes} MB, beside reading both as JSON`, ratio(times.merge, times.read)],
        [
            "CPU of removing a secret of 1,000,000 characters from a text that quotes it",
            `${median(times.redact).toFixed(2)} s`,
        ],
        ["the most memory of a process that makes and merges them", memory],
    ];
}
