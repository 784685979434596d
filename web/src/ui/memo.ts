import { Component, type ComponentType, h, type VNode } from 'preact'

/** An error boundary: shows `fallback` until the props change. */
export interface Guard<P> {
  fallback: (props: P) => VNode
  onError: (error: unknown) => void
}

interface State<P> {
  /** The props with which the component threw. */
  broken?: P
}

/** Skips a render while `same` is true. Preact has this only in its compat layer. */
export function memo<P extends object>(
  inner: ComponentType<P>,
  same: (before: P, after: P) => boolean,
  guard?: Guard<P>,
): ComponentType<P> {
  return class extends Component<P, State<P>> {
    override shouldComponentUpdate(next: P, state: State<P>) {
      return state !== this.state || !same(this.props as P, next)
    }
    override componentDidCatch(error: unknown) {
      if (!guard) throw error
      guard.onError(error)
      this.setState({ broken: this.props as P })
    }
    override render(): VNode {
      const { broken } = this.state
      if (guard && broken && same(broken, this.props as P)) return guard.fallback(broken)
      return h(inner as ComponentType<object>, this.props)
    }
  }
}
