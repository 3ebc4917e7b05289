import type { HealthContribution } from '../../daemon/core/safety/health/health-score.js';
import type { HealthValues, IndicatorName } from '../../daemon/core/safety/health/indicators.js';

/** Unit of a signal that enters health, from the last part of its VSS path; flags and words have none. */
export function unitOfPath(path: string): string {
  if (path.endsWith('.Pressure')) return 'kPa';
  if (path.endsWith('.Temperature') || path.endsWith('.Temperature.Max')) return '°C';
  if (path.endsWith('.CurrentVoltage')) return 'V';
  return /\.(FluidLevel|PadWear|StateOfHealth)$/.test(path) ? '%' : '';
}

const nouns: Readonly<Record<IndicatorName, string>> = {
  brake_fluid: 'brake fluid is low',
  abs: 'the anti-lock brakes report a fault',
  esc: 'stability control reports a fault',
  ebd: 'brake force distribution reports a fault',
  tcs: 'traction control reports a fault',
  eba: 'brake assist reports a fault',
  pad_wear: 'brake pads are worn',
  tyre_pressure: 'tyre pressure is off',
  coolant: 'the coolant is hot',
  coolant_level: 'coolant is low',
  oil_pressure: 'oil pressure is low',
  oil_temperature: 'the oil is hot',
  low_voltage: 'the 12 V supply is out of its range',
  traction_battery: 'the traction battery is worn or hot',
  transmission: 'the transmission is hot',
  mil: 'the malfunction lamp is on',
  dtc: 'trouble codes are stored',
  lost_message: 'a cyclic message is missing',
  bus_off: 'a bus is off',
  dpf: 'the particle filter needs service',
  def: 'exhaust fluid is low',
  service: 'service is due',
};

/** One sentence with the numbers that decided. */
export function explainContribution(
  contribution: Pick<HealthContribution, 'indicator' | 'sources'>,
  signals: Readonly<Record<string, number | null>>,
  values: HealthValues,
): string {
  const readings = contribution.sources.map((source) => reading(source, signals[source], values));
  const shown = readings.slice(0, 4).join(', ');
  const more = readings.length > 4 ? ` and ${readings.length - 4} more` : '';
  return `${nouns[contribution.indicator]}: ${shown}${more}`;
}

function reading(source: string, value: number | null | undefined, values: HealthValues): string {
  if (value === undefined || value === null) return source.replace(/^:/, '');
  const unit = unitOfPath(source);
  const rounded = Math.round(value * 10) / 10;
  const shown = `${source} ${rounded}${unit === '' ? '' : ` ${unit}`}`;
  if (!source.endsWith('.Tire.Pressure')) return shown;
  const percent = Math.round((100 * (value - values.tyrePlacardKpa)) / values.tyrePlacardKpa);
  return `${shown} (${Math.abs(percent)} % ${percent < 0 ? 'below' : 'above'} ${values.tyrePlacardKpa} kPa)`;
}
