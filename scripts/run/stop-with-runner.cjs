// Preloaded into programs that runChild starts. The IPC channel closes whenever the runner ends, even by kill -9, and the
// program then stops as by SIGTERM. Its own children have no such channel.
if (process.env.PRINT_STORE_RUNNER && process.channel) {
  delete process.env.PRINT_STORE_RUNNER;
  const stop = () => process.kill(process.pid, "SIGTERM");
  process.once("disconnect", stop);
  process.channel.unref();
  if (!process.connected) stop();
}
