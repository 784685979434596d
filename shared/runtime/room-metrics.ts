import { statfs } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import type { Milliseconds } from '#shared/domain/units.ts'

/** Time limit for a disk, which may be on another host. */
const ANSWERS_WITHIN: Milliseconds = 2_000

/** Reports the disks of these folders; a folder that cannot be examined has no sample. */
export function measureDisks(folders: Readonly<Record<string, string>>): void {
  const gauge = (about: { name: string; help: string }, of: (disk: Disk) => number) =>
    new Gauge({
      ...about,
      labelNames: ['place'],
      async collect() {
        this.reset()
        await Promise.all(
          Object.entries(folders).map(async ([place, folder]) => {
            const disk = await diskOf(folder)
            if (disk) this.labels(place).set(of(disk))
          }),
        )
      },
    })
  gauge(
    { name: 'bothy_disk_free_bytes', help: 'Free space on the disk of a place that grows.' },
    ({ free }) => free,
  )
  gauge(
    { name: 'bothy_disk_size_bytes', help: 'Size of the disk of a place that grows.' },
    ({ size }) => size,
  )
}

interface Disk {
  free: number
  size: number
}

/** Like `df`: bytes for ordinary users. */
async function diskOf(folder: string): Promise<Disk | undefined> {
  const stats = await Promise.race([
    statfs(folder).catch(() => undefined),
    pause(ANSWERS_WITHIN, undefined, { ref: false }),
  ])
  if (!stats) return undefined
  const { bavail, bfree, blocks, bsize } = stats
  return { free: bavail * bsize, size: (blocks - bfree + bavail) * bsize }
}
