// Preloaded into whatever runChild starts. The channel between the two closes however the runner ends, even by
// kill -9, and then the program stops as if it had been asked to. Programs further down have no such channel.
if (process.env.PRINT_STORE_RUNNER && process.channel) {
  delete process.env.PRINT_STORE_RUNNER;
  const stop = () => process.kill(process.pid, "SIGTERM");
  process.once("disconnect", stop);
  process.channel.unref();
  if (!process.connected) stop();
}
