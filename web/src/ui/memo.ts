import { Component, type ComponentType, h, type VNode } from 'preact'

/** Draws again only when `same` says that something shown has changed. Preact keeps this for its compat layer. */
export function memo<P extends object>(
  inner: ComponentType<P>,
  same: (before: P, after: P) => boolean,
): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P) {
      return !same(this.props as P, next)
    }
    override render(): VNode {
      return h(inner as ComponentType<object>, this.props)
    }
  }
}
