import { type Score, type TranslationKeys, ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as italian, translations } from '@zxcvbn-ts/language-it'

export type Strength = {
  /** 1 to 4. */
  step: 1 | 2 | 3 | 4
  word: string
  /** What weakens it, or would make it stronger. */
  hint: string
}

/** With five scores and four steps, the two lowest are one. */
const steps: Record<Score, Pick<Strength, 'step' | 'word'>> = {
  0: { step: 1, word: 'Debole' },
  1: { step: 1, word: 'Debole' },
  2: { step: 2, word: 'Discreta' },
  3: { step: 3, word: 'Buona' },
  4: { step: 4, word: 'Ottima' },
}

/** For those with nothing to complain of. */
const praise = new Map<Score, string>([
  [3, 'Va bene. Con una parola in più sarebbe ottima.'],
  [4, 'È difficile da indovinare.'],
])

const words: TranslationKeys = {
  ...translations,
  warnings: {
    ...translations.warnings,
    userInputs: 'La tua email e i nomi di questo sito sono facili da indovinare.',
  },
}

const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...italian },
  graphs: adjacencyGraphs,
  translations: words,
})

const OWN_NAMES = ['bancone', 'farmacia']

/** How long somebody who knows people's habits would need to guess it. */
export function measureStrength(password: string, email: string): Strength {
  const parts = [email, ...email.split('@'), ...email.split(/[^\p{L}\d]+/u)]
  const inputs = [...parts.filter((part) => part !== ''), ...OWN_NAMES]
  const { score, feedback } = estimator.check(password, inputs)
  const [advice = ''] = feedback.suggestions
  return { ...steps[score], hint: praise.get(score) ?? feedback.warning ?? advice }
}
