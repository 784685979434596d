import { useEffect, useRef } from 'preact/hooks'
import type { Milliseconds } from '#shared/domain/units.ts'

/** Calls `load` in this interval while it is wanted and the tab is visible. */
export function useRefresh(isWanted: boolean, interval: Milliseconds, load: () => void): void {
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    if (!isWanted) return
    const timer = setInterval(() => document.visibilityState === 'visible' && latest.current(), interval)
    return () => clearInterval(timer)
  }, [isWanted, interval])
}
