import fc from "fast-check";

/** One seed for each test file, so that the second try of a property repeats the cases of the first. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Date.now() | 0 });
