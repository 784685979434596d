import { useRef } from 'preact/hooks'
import { uuid } from '../net/requests/uuid.ts'

/**
 * Returns the id of a request that makes something: the same for a repetition of the same request, so that nothing is
 * made twice after a lost response, and a new one for other fields or after `made`.
 */
export function useClientId() {
  const last = useRef<{ id: string; fields: string }>(undefined)
  return {
    idOf(fields: unknown): string {
      const now = JSON.stringify(fields)
      if (last.current?.fields !== now) last.current = { id: uuid(), fields: now }
      return last.current.id
    },
    made() {
      last.current = undefined
    },
  }
}
