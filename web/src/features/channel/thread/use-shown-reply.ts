import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Thread } from '../../../store/threads/thread-rows.ts'
import { openedThread } from '../../threads/open-threads.ts'

const FLASH_FOR: Milliseconds = 2_000

/** Scrolls to the reply for which the thread was opened, loading older pages for it. Returns it while it is highlighted. */
export function useShownReply(
  box: RefObject<HTMLElement | null>,
  atEnd: RefObject<boolean>,
  thread: Thread,
  older: () => Promise<void>,
): number | undefined {
  const wanted = openedThread.value?.at
  const [flash, setFlash] = useState<number | undefined>(undefined)
  const isLoaded = thread.rows.some(row => row.id === wanted)
  useEffect(() => {
    if (typeof wanted !== 'number') return
    if (!isLoaded) return void older()
    const row = box.current?.querySelector<HTMLElement>(`[data-message-id="${wanted}"]`)
    atEnd.current = false
    row?.scrollIntoView({ block: 'center' })
    row?.focus({ preventScroll: true })
    setFlash(wanted)
    const timer = setTimeout(() => setFlash(undefined), FLASH_FOR)
    return () => clearTimeout(timer)
  }, [openedThread.value, isLoaded, isLoaded ? 0 : thread.rows[0]?.id])
  return flash
}
