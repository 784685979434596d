import { ConfigurationError } from '#shared/runtime/config.ts'
import { stopAllChildren } from '../processes/children.ts'

let ending: Promise<void> | undefined

/**
 * Stops everything at Ctrl-C (also a repeated one), a signal, a closed terminal, or the end of the wrapper that started
 * this process: first `stop`, then the remaining children.
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
    // Only its closing matters; it must not keep the process alive.
    process.channel.unref()
  }
  // Writing to a closed terminal fails, which must not interrupt the stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Prints the message of an error at the start (with DEBUG=1 the stack) and exits. Errors during a stop are ignored. */
export async function reportAndExit(err: unknown): Promise<void> {
  if (ending) return ending
  if (err instanceof ConfigurationError) {
    for (const fault of err.faults) console.error(fault)
    await stopAllChildren()
    process.exit(1)
  }
  const { message = String(err), cause } = err as Error
  console.error(process.env.DEBUG ? err : message)
  if (cause instanceof Error && !process.env.DEBUG) console.error(`  (${cause.message})`)
  await stopAllChildren()
  process.exit(1)
}
