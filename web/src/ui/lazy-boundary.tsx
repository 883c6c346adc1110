import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { loadWhenIdle } from '../lib/when-idle.ts'
import { notifyChunkFailure } from './chunk-failure.ts'

type LazyBoundaryProps<P> = {
  load: () => Promise<ComponentType<P>>
  /** Load the code before the component is shown, when the browser is idle. */
  preload?: boolean
  /** Null while nothing is shown; a failed load is tried again when there are props again. */
  props: P | null
  /** Called, after a toast, when the code of a component that should be shown could not be loaded. */
  onLoadError?: () => void
}

/**
 * Renders a component whose code is loaded on demand. If the load fails only this component is missing, while `lazy`
 * would replace the page with the error boundary.
 */
export function LazyBoundary<P extends object>(part: LazyBoundaryProps<P>) {
  const { load, preload = false, props } = part
  const isShown = props !== null
  const [code, setCode] = useState<{ Part: ComponentType<P> } | null>(null)
  const onLoadError = useEffectEvent(() => {
    if (!isShown) return
    notifyChunkFailure()
    part.onLoadError?.()
  })
  useEffect(() => {
    if (!preload && !isShown) return
    let isCancelled = false
    const loading = isShown ? load() : loadWhenIdle(load)
    loading.then(
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
  }, [load, preload, isShown])
  return code && props ? <code.Part {...props} /> : null
}
