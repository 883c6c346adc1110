import { useEffect, useState } from 'react'

/** Seconds since it was mounted; hidden from screen readers. */
export function Seconds() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const began = performance.now()
    const timer = setInterval(
      () => setSeconds(Math.floor((performance.now() - began) / 1000)),
      1_000,
    )
    return () => clearInterval(timer)
  }, [])
  return (
    <span aria-hidden className="tabular-nums">
      {seconds} s
    </span>
  )
}
