import { useEffect, useState } from 'preact/hooks'
import { tolerateFailure } from '../../net/requests/failure.ts'

/** A whole list of the server, requested again after `reload` and when a value of `key` changes. */
export function useList<T>(key: readonly unknown[], request: () => Promise<T[]>) {
  const [items, setItems] = useState<T[]>()
  const [hasFailed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isHere = true
    const read = async () => {
      try {
        const found = await request()
        if (!isHere) return
        setItems(found)
        setFailed(false)
      } catch (error) {
        tolerateFailure(error)
        if (isHere) setFailed(true)
      }
    }
    void read()
    return () => {
      isHere = false
    }
  }, [...key, attempt])
  return { items, hasFailed, reload: () => setAttempt(before => before + 1) }
}
