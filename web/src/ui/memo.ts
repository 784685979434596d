import { Component, type ComponentType, h, type VNode } from 'preact'

/** Skips a render while `same` is true. Preact has this only in its compat layer. */
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
