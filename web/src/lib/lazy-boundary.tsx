import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'

type LazyBoundaryProps<P> = {
  load: () => Promise<ComponentType<P>>
  /** Load the code before the component is shown. */
  preload?: boolean
  /** Identifies what is shown; null while nothing is shown. When it changes, a failed load is tried again. */
  activeKey: string | null
  props: P | null
  /** Called when the code of a component that should be shown could not be loaded. */
  onLoadError: () => void
}

/**
 * Renders a component whose code is loaded on demand. If the load fails only this component is missing, while `lazy`
 * would replace the page with the error boundary.
 */
export function LazyBoundary<P extends object>(part: LazyBoundaryProps<P>) {
  const { load, preload = false, activeKey, props } = part
  const [code, setCode] = useState<{ Part: ComponentType<P> } | null>(null)
  const onLoadError = useEffectEvent(() => {
    if (activeKey !== null) part.onLoadError()
  })
  useEffect(() => {
    if (!preload && activeKey === null) return
    let isCancelled = false
    load().then(
      (Part) => {
        if (!isCancelled) setCode({ Part })
      },
      () => {
        if (!isCancelled) onLoadError()
      },
    )
    return () => {
      isCancelled = true
    }
  }, [load, preload, activeKey])
  return code && props ? <code.Part {...props} /> : null
}
