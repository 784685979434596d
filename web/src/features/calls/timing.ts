import type { Milliseconds } from '#shared/domain/units.ts'

/** Resolves after the time, or at once on abort. */
export function after(wait: Milliseconds, off?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (off?.aborted) return resolve()
    const timer = setTimeout(resolve, wait)
    off?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
