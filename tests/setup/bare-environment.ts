/**
 * The environment of a process that is started without the settings of this one: it finds programs, and code that was
 * compiled before.
 */
export const BARE_ENVIRONMENT = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
