/** The path of the program for this platform. Throws if this platform has none, or if its package is not installed. */
export declare function programPath(): string;
