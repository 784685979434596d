import { stopAllChildren } from './children.ts'

/** What a script and the terminal it was started from have to do with each other. */

let ending: Promise<void> | undefined

/**
 * Ends everything when the terminal says so: Ctrl-C (however often), a signal, a closed window, or the end of the
 * wrapper that started this process. `stop` comes first; then whatever child is left.
 */
export function endWithParent(stop: () => Promise<unknown> = async () => {}, exitCode = 0) {
  const end = () => {
    ending ??= (async () => {
      await stop().catch(err => console.error(err))
      await stopAllChildren()
      process.exit(exitCode)
    })()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  if (process.channel) {
    process.on('disconnect', end)
    // It is there for its end only, and keeps nothing alive.
    process.channel.unref()
  }
  // A terminal that is gone takes no more lines; that is no reason to stop half-way.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** A fault at the start, as a sentence; the whole of it with DEBUG=1. While all is being stopped, a fault is none. */
export async function reportAndExit(err: unknown): Promise<void> {
  if (ending) return ending
  const { message = String(err), cause } = err as Error
  console.error(process.env.DEBUG ? err : message)
  if (cause instanceof Error && !process.env.DEBUG) console.error(`  (${cause.message})`)
  await stopAllChildren()
  process.exit(1)
}
