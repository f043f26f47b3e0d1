/** Where the files of a resource are. */

/** `CsiVolume` is `csi-volume`. */
export function kebabCase(name: string): string {
    return name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** The files of a resource that are written by hand. */
export function placesOf(type: string, service: string) {
    const file = kebabCase(type);
    return {
        definition: `src/services/${service}/${file}.ts`,
        simulator: `src/simulator/${service}/${file}.ts`,
        facts: `test/resources/${file}.ts`,
        test: `test/services/${service}/${file}.test.ts`,
        example: `examples/${file}.ts`,
    };
}
