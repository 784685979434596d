import { useEffect, useRef } from 'preact/hooks'
import { panel, route } from '../store/store.ts'

/** Going to another channel closes the page. The first channel after a reload opens behind it. */
export function useCloseOnLeaving() {
  const open = route.value.channel
  const before = useRef(open)
  useEffect(() => {
    if (before.current !== undefined && open !== before.current) panel.value = undefined
    before.current = open
  }, [open])
}
