import { DiskSpace } from "#server/http/disk-space.ts";

/** Disk space that measures how much of it is reserved, now and at most. */
export class MeasuredDiskSpace extends DiskSpace {
  reserved = 0;
  most = 0;

  override async take(bytes: number): Promise<() => void> {
    const release = await super.take(bytes);
    this.reserved += bytes;
    this.most = Math.max(this.most, this.reserved);
    return () => {
      this.reserved -= bytes;
      release();
    };
  }
}
