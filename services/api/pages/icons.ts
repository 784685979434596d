import { html } from './html.ts'

const icon = (size: number, drawing: ReturnType<typeof html>) =>
  html`<svg class="icon icon-${size}" viewBox="0 0 20 20" aria-hidden="true" focusable="false">${drawing}</svg>`

export const icons = {
  alert: icon(
    18,
    html`<path d="M8.85 4.2 2.9 14.4a1.35 1.35 0 0 0 1.15 2.05h11.9a1.35 1.35 0 0 0 1.15-2.05L11.15 4.2a1.35 1.35 0 0 0-2.3 0ZM10 8v3.75"/><circle cx="10" cy="13.9" r="0.95" fill="currentColor" stroke="none"/>`,
  ),
  back: html`<svg class="icon icon-18 icon-flip" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="M15.75 10H4.5M9.1 5.25 4.35 10l4.75 4.75"/></svg>`,
  check: icon(14, html`<path d="m4.75 10.5 3.5 3.5 7-7.75"/>`),
  checkLarge: icon(18, html`<path d="m4.75 10.5 3.5 3.5 7-7.75"/>`),
  eye: icon(
    18,
    html`<path d="M2.6 10S5.3 4.9 10 4.9 17.4 10 17.4 10 14.7 15.1 10 15.1 2.6 10 2.6 10Z"/><circle cx="10" cy="10" r="2.2"/>`,
  ),
  eyeOff: icon(
    18,
    html`<path d="M8 5.15A7 7 0 0 1 10 4.9c4.7 0 7.4 5.1 7.4 5.1a13 13 0 0 1-1.85 2.45M5.3 6.4A12 12 0 0 0 2.6 10s2.7 5.1 7.4 5.1a7 7 0 0 0 3.75-1.1M8.4 8.5a2.2 2.2 0 0 0 3.1 3.1M3.5 3.5l13 13"/>`,
  ),
}
