import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs'
import { dirname } from 'node:path'

/** Size of a file, bytes; with the previous one a log takes twice as much. */
const LIMIT = 10 * 1024 * 1024

/** Lines of a process in a file. A full file replaces the one named `.old`. */
export class LogFile {
  readonly path: string
  readonly #limit: number
  #size: number
  #stream: WriteStream

  constructor(path: string, limit = LIMIT) {
    mkdirSync(dirname(path), { recursive: true })
    this.path = path
    this.#limit = limit
    this.#size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    this.#stream = append(path)
  }

  write(line: string) {
    const bytes = Buffer.byteLength(line) + 1
    if (this.#size > 0 && this.#size + bytes > this.#limit) this.#startAnew()
    this.#size += bytes
    this.#stream.write(`${line}\n`)
  }

  end(done?: () => void) {
    this.#stream.end(done)
  }

  #startAnew() {
    const full = this.#stream
    // Its lines that are still buffered follow it to its new name; before it is open there is nothing to rename.
    if (full.pending) return
    full.end()
    renameSync(this.path, `${this.path}.old`)
    this.#stream = append(this.path)
    this.#size = 0
  }
}

const append = (path: string) => createWriteStream(path, { flags: 'a', mode: 0o600 })
