import { Component, type ComponentChildren } from 'preact'

interface Props {
  children: ComponentChildren
  fallback: () => ComponentChildren
  onError: (error: unknown) => void
  /** After a change of this value the children are rendered again. */
  resetOn?: unknown
}

/** An error boundary: an exception while its children render shows `fallback` in their place. */
export class Boundary extends Component<Props, { broken?: { at: unknown } }> {
  override componentDidCatch(error: unknown) {
    this.props.onError(error)
    this.setState({ broken: { at: this.props.resetOn } })
  }
  override render() {
    const { children, fallback, resetOn } = this.props
    const { broken } = this.state
    return broken && broken.at === resetOn ? fallback() : children
  }
}
