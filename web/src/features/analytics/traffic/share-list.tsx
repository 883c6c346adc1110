import { rate } from '@bancone/contract/analytics-figures'
import { formatNumber } from '../../../lib/format.ts'
import { Section, Unreadable } from '../section.tsx'
import { percentText } from '../texts/percent-texts.ts'
import { sharesSentence } from '../texts/traffic-sentences.ts'

/** `of`: in a sentence, '… arriva dal volantino'. */
type SharePart = { name: string; of: string; views: number }

type ShareListProps = {
  title: string
  /** Head of the first column. */
  head: string
  /** Null where they cannot be read. */
  parts: readonly SharePart[] | null
}

/** Parts of all views, the largest first, as a table whose bars only repeat the numbers. */
export function ShareList({ title, head, parts }: ShareListProps) {
  if (parts === null) return <Unreadable title={title} />
  const sum = parts.reduce((total, { views }) => total + views, 0)
  const shown = parts.filter(({ views }) => views > 0).toSorted((a, b) => b.views - a.views)
  const most = shown[0]?.views ?? 1
  return (
    <Section title={title} summary={sharesSentence(parts)}>
      {shown.length === 0 ? null : (
        <table className="w-full text-left text-sm">
          <caption className="sr-only">{title}</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="pb-1 font-medium">
                {head}
              </th>
              <th scope="col" className="w-24 pb-1 text-right font-medium">
                Visualizzazioni
              </th>
              <th scope="col" className="w-16 pb-1 text-right font-medium">
                Quota
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ name, views }) => (
              <tr key={name} className="border-t border-line">
                <th scope="row" className="relative py-2.5 pr-3 font-normal">
                  {name}
                  <span
                    aria-hidden
                    className="absolute bottom-1 left-0 h-1 rounded-full bg-(--c-chart-1) [print-color-adjust:exact]"
                    style={{ width: `${(views / most) * 100}%` }}
                  />
                </th>
                <td className="py-2.5 text-right font-medium tabular-nums">
                  {formatNumber(views)}
                </td>
                <td className="py-2.5 text-right text-muted tabular-nums">
                  {percentText(Math.round(rate(views, sum)))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
