import { computed, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { openLayer, type View } from './layers.ts'

export interface Point {
  x: number
  y: number
}

export interface Opened {
  /** Without one the pop-over is in the middle of the window. */
  anchor: HTMLElement | undefined
  label: string
  role: 'menu' | 'dialog'
  render: (close: () => void) => ComponentChildren
  /** Receives the focus on closing: the anchor if it still exists. */
  back: HTMLElement | null
  /** On a phone: along the bottom edge. */
  sheet: boolean
  /** Place of the pointer; otherwise it is beside the anchor. */
  at: Point | undefined
}

export const opened = signal<Opened | undefined>(undefined)
let leaveLayer = () => {}
export const isPopoverOpen = computed(() => opened.value !== undefined)

/** Opens the only pop-over, at the root so that nothing clips it. A second call from the same anchor closes it. */
export function openPopover(
  anchor: HTMLElement | undefined,
  label: string,
  render: (close: () => void) => ComponentChildren,
  more: { role?: 'menu' | 'dialog'; sheet?: boolean; view?: View; at?: Point | undefined } = {},
) {
  if (anchor && opened.peek()?.anchor === anchor && opened.peek()?.label === label) return closePopover()
  leaveLayer()
  leaveLayer = openLayer(() => closePopover(), more.view)
  const back = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const { role = 'dialog', sheet = false, at } = more
  opened.value = { anchor, label, render, role, back, sheet, at }
}

export function closePopover(restoreFocus = true) {
  const last = opened.peek()
  opened.value = undefined
  leaveLayer()
  leaveLayer = () => {}
  if (!last || !restoreFocus) return
  const target = last.back?.isConnected ? last.back : last.anchor
  if (target?.isConnected) target.focus({ preventScroll: true })
}
