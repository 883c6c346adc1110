import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'

type LatePartProps<P> = {
  load: () => Promise<ComponentType<P>>
  /** Fetch its code although it is not shown yet, so that it will be there. */
  ahead?: boolean
  /** What is shown: its code is asked for again when another is. Null while nothing is. */
  subject: string | null
  props: P | null
  /** It was to be shown, and its code did not come. */
  onMissing: () => void
}

/**
 * A part of a page whose code is not needed at once. Where `lazy` takes the page with it when the code
 * does not come, the page goes on without this.
 */
export function LatePart<P extends object>(part: LatePartProps<P>) {
  const { load, ahead = false, subject, props } = part
  const [code, setCode] = useState<{ Part: ComponentType<P> } | null>(null)
  const onMissing = useEffectEvent(() => {
    if (subject !== null) part.onMissing()
  })
  useEffect(() => {
    if (!ahead && subject === null) return
    let over = false
    load().then(
      (Part) => {
        if (!over) setCode({ Part })
      },
      () => {
        if (!over) onMissing()
      },
    )
    return () => {
      over = true
    }
  }, [load, ahead, subject])
  return code && props ? <code.Part {...props} /> : null
}
