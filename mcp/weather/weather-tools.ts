import { type ExpertTool, expertTool } from '../shared/expert-tool.js';
import { type OutsideSource, readOutside } from './outside/outside-weather.js';
import { assessWeather } from './weather-assess.js';
import { weatherAnswer, weatherAssessArgs } from './weather-schema.js';

export interface WeatherToolsOptions {
  /** weather data from outside the car; null = none, nothing outside is ever asked */
  readonly outside: OutsideSource | null;
}

/** The tools of the weather and grip expert. */
export function weatherTools(options: WeatherToolsOptions = { outside: null }): readonly ExpertTool[] {
  const { outside } = options;
  return [
    expertTool({
      name: 'weather_assess',
      title: 'Grip of the road',
      description:
        'Estimates tyre-road friction with a lower bound, risk level, advised share of a speed limit and gap, from weather parameters and what the vehicle bus shows (wipers, temperature, ABS, slip). Every argument is optional; a missing one counts as not observed. It never knows the true friction. Research software beside certified functions, never in their place.',
      input: weatherAssessArgs,
      output: weatherAnswer,
      run: async (args, { nowWallMs, signal }) =>
        assessWeather(args, outside === null ? null : await readOutside(outside, nowWallMs, signal)),
    }),
  ];
}
