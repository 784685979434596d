import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import { onRows } from '../../net/messages/reply-counts.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { fileCount } from '../../net/requests/lazy-endpoints.ts'
import type { Channel } from '../../store/channels/channels.ts'

/** After a file came or was deleted, before the number is requested again: spread, because all open panels do so. */
const SPREAD: Milliseconds = 4_000
/** Between two requests: uploads of others must not use up the requests of the viewer. */
const APART: Milliseconds = 5_000

const known = signal<{ channel: ChannelId; count: number | undefined } | undefined>(undefined)

/** The number of files in the channel of the panel, at most 1,000; undefined until it is known. */
export const filesIn = ({ id }: Channel) => (known.value?.channel === id ? known.value.count : undefined)

/** Keeps `filesIn(channel)` up to date while it is mounted. */
export function useFileCount(channel: Channel) {
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let requestedAt = 0
    const request = async () => {
      timer = undefined
      requestedAt = performance.now()
      try {
        const count = await fileCount(channel.id, abort.signal)
        if (!abort.signal.aborted) known.value = { channel: channel.id, count }
      } catch (error) {
        if (!abort.signal.aborted) tolerateFailure(error)
      }
    }
    void request()
    const end = onRows((of, rows) => {
      if (of !== channel || !rows.some(row => row.filename !== null || row.deleted === 1)) return
      const rest = Math.max(0, requestedAt + APART - performance.now())
      timer ??= setTimeout(() => void request(), rest + Math.random() * SPREAD)
    })
    return () => {
      end()
      clearTimeout(timer)
      abort.abort()
      known.value = undefined
    }
  }, [])
}
