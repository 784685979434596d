import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a file whole or not at all: on a full disk the former one stays, and no empty password or address is read. */
export function writeWhole(path: string, text: string, { mode }: { mode?: number } = {}): void {
  const unfinished = `${path}.new-${process.pid}`
  try {
    writeFileSync(unfinished, text, { mode, flush: true })
    renameSync(unfinished, path)
  } catch (err) {
    rmSync(unfinished, { force: true })
    throw err
  }
}
