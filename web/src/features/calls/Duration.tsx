import { useEffect, useState } from 'preact/hooks'
import type { Seconds } from '#shared/domain/units.ts'

/** Format: 12:41, or 1:02:41. */
export function Duration({ since }: { since: Seconds | undefined }) {
  const [now, setNow] = useState(Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <>{since === undefined ? '' : clockOf(Math.max(0, Math.floor(now - since)))}</>
}

export function clockOf(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
