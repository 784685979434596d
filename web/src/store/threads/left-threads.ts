import { signal } from '@preact/signals'

/** Threads that the viewer left while the page of threads lists them. */
export const leftThreads = signal<ReadonlySet<number>>(new Set())

export function noteLeft(id: number, isLeft: boolean) {
  const others = [...leftThreads.peek()].filter(one => one !== id)
  leftThreads.value = new Set(isLeft ? [...others, id] : others)
}
