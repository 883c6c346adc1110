import { cn } from './class-names.ts'

type ProgressBarProps = {
  /** What is in progress. */
  label: string
  /** How much is done, for example '37 di 1.000 righe'. */
  text: string
  /** 0 to 100; null when it is not known. */
  percent: number | null
}

/** How much of something is done. */
export function ProgressBar({ label, text, percent }: ProgressBarProps) {
  return (
    <div className="flex flex-col gap-2">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
        aria-valuetext={text}
        className="h-2.5 overflow-hidden rounded-full bg-line"
      >
        <div
          className={cn(
            'h-full rounded-full bg-accent transition-[width] duration-150 motion-reduce:transition-none',
            percent === null && 'animate-pulse opacity-40 motion-reduce:animate-none',
          )}
          style={{ width: `${percent ?? 100}%` }}
        />
      </div>
      <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted tabular-nums">
        <span>{text}</span>
        {percent === null ? null : <span>{percent}%</span>}
      </p>
    </div>
  )
}
