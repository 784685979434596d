import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, tolerateFailure } from '../net/requests/failure.ts'

/** Why a form was not sent or saved. `field`: the `name` of the faulty one; without it the whole form. */
export interface Problem {
  sentence: string
  field?: string | undefined
}

type Why = Problem | string

interface Submission {
  /** The first fault of the input; nothing is sent then. */
  check?: () => Why | undefined
  /** Returns false if the form stays open, and a sentence if it failed without an exception. */
  send: () => unknown
  /** The sentence for a failed request; without it, and for other errors, the exception goes on. */
  whyNot?: (failure: Failure) => Why | Promise<Why>
  /** After success; usually closes the dialog. */
  done?: () => void
}

export interface Submit {
  /** The form, whose first faulty field gets the focus. */
  element: RefObject<HTMLFormElement | null>
  busy: boolean
  problem: Problem | undefined
  onSubmit: (event: Event) => void
  /** `other`: sent in place of the form, whose input is not checked then. */
  submit: (other?: () => unknown) => Promise<void>
  /** On input, when the sentence belongs to an old value. With `field`: only if it is about that one. */
  clear: (field?: string) => void
  /** The sentence about this field; empty without one. */
  problemOf: (field: string) => string
}

/** Submits a form: a single request at a time, and a sentence if it fails. */
export function useSubmit({ check, send, whyNot, done }: Submission): Submit {
  const element = useRef<HTMLFormElement>(null)
  const isBusy = useRef(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    const field = fieldOf(element.current, problem)
    field?.focus()
    // A wrong password is typed anew.
    if (field instanceof HTMLInputElement && field.type === 'password') field.select()
  }, [problem])
  // A new object each time, so that the faulty field gets the focus again.
  const fail = (why: Why) => setProblem(typeof why === 'string' ? { sentence: why } : { ...why })

  const submit = async (other?: () => unknown) => {
    if (isBusy.current) return
    const fault = other ? undefined : check?.()
    if (fault !== undefined) return fail(fault)
    isBusy.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      const result = await (other ?? send)()
      if (typeof result === 'string') fail(result)
      else if (result !== false) done?.()
    } catch (error) {
      tolerateFailure(error)
      if (!whyNot) throw error
      fail(await whyNot(error))
    } finally {
      isBusy.current = false
      setBusy(false)
    }
  }
  return {
    element,
    busy,
    problem,
    submit,
    onSubmit(event) {
      event.preventDefault()
      void submit()
    },
    clear: field => setProblem(now => (field === undefined || now?.field === field ? undefined : now)),
    problemOf: field => (problem?.field === field ? problem.sentence : ''),
  }
}

/** The field that a problem is about, if the form shows it. */
export const fieldOf = (
  form: HTMLFormElement | null,
  problem: Problem | undefined,
): HTMLElement | null | undefined =>
  problem?.field === undefined ? undefined : form?.querySelector<HTMLElement>(`[name="${problem.field}"]`)
