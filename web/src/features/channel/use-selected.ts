import { useRef } from 'preact/hooks'

/**
 * The message that was selected when the focus came into a text field: the row that had the focus. It is forgotten when
 * the focus goes elsewhere, but not when the whole window loses it.
 */
export function useSelected() {
  const selected = useRef<number | undefined>(undefined)
  return {
    selected,
    onFocus: ({ relatedTarget }: FocusEvent) => {
      const row = relatedTarget instanceof Element ? relatedTarget.closest('article') : null
      const id = Number(row?.dataset['messageId'])
      if (id > 0) selected.current = id
    },
    onBlur: ({ currentTarget }: FocusEvent) => {
      if (document.activeElement !== currentTarget) selected.current = undefined
    },
  }
}
