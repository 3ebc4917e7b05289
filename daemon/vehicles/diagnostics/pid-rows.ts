/**
 * Parameters of OBD service 01 (and 02, and UDS identifiers F4xx): one a line,
 *
 * `PID bytes[-fewest|+most] kind | name | signals`, the signals separated by `;`:
 * - linear: `NAME unit byte:bytes[s] mul/div [+add] [?bit] [!raw]` with value = raw · mul / div + add, big-endian,
 *   `s` two's complement, `?bit` available only when that bit of the first byte is set, `!raw` means "not available"
 * - bits: `NAME byte.bit:width`
 * - enum: `NAME byte`
 *
 * Facts of SAE J1979 as publicly known. Where public lists differ: trims are raw · 100/128 − 100 (not − 128),
 * wide-band voltage is raw · 8/65536, lambda raw · 2/65536, 32 is one signed 16-bit number, 5D raw/128 − 210, and
 * 54 is signed (older lists subtract 32,767). `raw` parameters have a length and no agreed content.
 */
export const pidRows = `
00 4 bitmask | PIDs supported 01–20
01 4 bits | Monitor status since DTCs cleared | MIL 0.7:1; DTC_CNT 0.0:7; COMPRESSION_IGNITION 1.3:1; MIS_SUP 1.0:1; FUEL_SUP 1.1:1; CCM_SUP 1.2:1; MIS_INCOMPLETE 1.4:1; FUEL_INCOMPLETE 1.5:1; CCM_INCOMPLETE 1.6:1
02 2 dtc | DTC that caused freeze frame
03 2 enum | Fuel system status | FUELSYS1 0; FUELSYS2 1
04 1 linear | Calculated engine load | LOAD_PCT % 0:1 100/255
05 1 linear | Engine coolant temperature | ECT degC 0:1 1/1 -40
06 1+2 linear | Short term fuel trim, bank 1 | SHRTFT1 % 0:1 100/128 -100; SHRTFT3 % 1:1 100/128 -100
07 1+2 linear | Long term fuel trim, bank 1 | LONGFT1 % 0:1 100/128 -100; LONGFT3 % 1:1 100/128 -100
08 1+2 linear | Short term fuel trim, bank 2 | SHRTFT2 % 0:1 100/128 -100; SHRTFT4 % 1:1 100/128 -100
09 1+2 linear | Long term fuel trim, bank 2 | LONGFT2 % 0:1 100/128 -100; LONGFT4 % 1:1 100/128 -100
0A 1 linear | Fuel pressure (gauge) | FRP_GAUGE kPa 0:1 3/1
0B 1 linear | Intake manifold absolute pressure | MAP kPa 0:1 1/1
0C 2 linear | Engine speed | RPM rpm 0:2 1/4
0D 1 linear | Vehicle speed | VSS km/h 0:1 1/1
0E 1 linear | Timing advance | SPARKADV deg 0:1 1/2 -64
0F 1 linear | Intake air temperature | IAT degC 0:1 1/1 -40
10 2 linear | MAF air flow rate | MAF g/s 0:2 1/100
11 1 linear | Throttle position | TP % 0:1 100/255
12 1 enum | Commanded secondary air status | AIR_STAT 0
13 1 bits | O2 sensors present (2 banks) | O2S11 0.0:1; O2S12 0.1:1; O2S13 0.2:1; O2S14 0.3:1; O2S21 0.4:1; O2S22 0.5:1; O2S23 0.6:1; O2S24 0.7:1
14 2 linear | O2 sensor 1 narrow band | O2S_V V 0:1 1/200; O2S_TRIM % 1:1 100/128 -100 !255
15 2 linear | O2 sensor 2 narrow band | O2S_V V 0:1 1/200; O2S_TRIM % 1:1 100/128 -100 !255
16 2 linear | O2 sensor 3 narrow band | O2S_V V 0:1 1/200; O2S_TRIM % 1:1 100/128 -100 !255
17 2 linear | O2 sensor 4 narrow band | O2S_V V 0:1 1/200; O2S_TRIM % 1:1 100/128 -100 !255
18 2 linear | O2 sensor 5 narrow band | O2S_V V 0:1 1/200; O2S_TRIM % 1:1 100/128 -100 !255
19 2 linear | O2 sensor 6 narrow band | O2S_V V 0:1 1/200; O2S_TRIM % 1:1 100/128 -100 !255
1A 2 linear | O2 sensor 7 narrow band | O2S_V V 0:1 1/200; O2S_TRIM % 1:1 100/128 -100 !255
1B 2 linear | O2 sensor 8 narrow band | O2S_V V 0:1 1/200; O2S_TRIM % 1:1 100/128 -100 !255
1C 1 enum | OBD standard | OBDSUP 0
1D 1 bits | O2 sensors present (4 banks) | O2S11 0.0:1; O2S12 0.1:1; O2S21 0.2:1; O2S22 0.3:1; O2S31 0.4:1; O2S32 0.5:1; O2S41 0.6:1; O2S42 0.7:1
1E 1 bits | Auxiliary input (PTO) | PTO 0.0:1
1F 2 linear | Run time since engine start | RUNTM s 0:2 1/1
20 4 bitmask | PIDs supported 21–40
21 2 linear | Distance with MIL on | MIL_DIST km 0:2 1/1
22 2 linear | Fuel rail pressure rel. to manifold vacuum | FRP_REL kPa 0:2 0.079/1
23 2 linear | Fuel rail gauge pressure | FRP kPa 0:2 10/1
24 4 linear | O2 sensor 1 wide band lambda/voltage | LAMBDA ratio 0:2 2/65536; O2S_V V 2:2 8/65536
25 4 linear | O2 sensor 2 wide band lambda/voltage | LAMBDA ratio 0:2 2/65536; O2S_V V 2:2 8/65536
26 4 linear | O2 sensor 3 wide band lambda/voltage | LAMBDA ratio 0:2 2/65536; O2S_V V 2:2 8/65536
27 4 linear | O2 sensor 4 wide band lambda/voltage | LAMBDA ratio 0:2 2/65536; O2S_V V 2:2 8/65536
28 4 linear | O2 sensor 5 wide band lambda/voltage | LAMBDA ratio 0:2 2/65536; O2S_V V 2:2 8/65536
29 4 linear | O2 sensor 6 wide band lambda/voltage | LAMBDA ratio 0:2 2/65536; O2S_V V 2:2 8/65536
2A 4 linear | O2 sensor 7 wide band lambda/voltage | LAMBDA ratio 0:2 2/65536; O2S_V V 2:2 8/65536
2B 4 linear | O2 sensor 8 wide band lambda/voltage | LAMBDA ratio 0:2 2/65536; O2S_V V 2:2 8/65536
2C 1 linear | Commanded EGR | EGR_PCT % 0:1 100/255
2D 1 linear | EGR error | EGR_ERR % 0:1 100/128 -100
2E 1 linear | Commanded evaporative purge | EVAP_PCT % 0:1 100/255
2F 1 linear | Fuel tank level | FLI % 0:1 100/255
30 1 linear | Warm-ups since DTCs cleared | WARM_UPS count 0:1 1/1
31 2 linear | Distance since DTCs cleared | CLR_DIST km 0:2 1/1
32 2 linear | EVAP system vapour pressure | EVAP_VP Pa 0:2s 1/4
33 1 linear | Barometric pressure | BARO kPa 0:1 1/1
34 4 linear | O2 sensor 1 wide band lambda/current | LAMBDA ratio 0:2 2/65536; O2S_MA mA 2:2 1/256 -128
35 4 linear | O2 sensor 2 wide band lambda/current | LAMBDA ratio 0:2 2/65536; O2S_MA mA 2:2 1/256 -128
36 4 linear | O2 sensor 3 wide band lambda/current | LAMBDA ratio 0:2 2/65536; O2S_MA mA 2:2 1/256 -128
37 4 linear | O2 sensor 4 wide band lambda/current | LAMBDA ratio 0:2 2/65536; O2S_MA mA 2:2 1/256 -128
38 4 linear | O2 sensor 5 wide band lambda/current | LAMBDA ratio 0:2 2/65536; O2S_MA mA 2:2 1/256 -128
39 4 linear | O2 sensor 6 wide band lambda/current | LAMBDA ratio 0:2 2/65536; O2S_MA mA 2:2 1/256 -128
3A 4 linear | O2 sensor 7 wide band lambda/current | LAMBDA ratio 0:2 2/65536; O2S_MA mA 2:2 1/256 -128
3B 4 linear | O2 sensor 8 wide band lambda/current | LAMBDA ratio 0:2 2/65536; O2S_MA mA 2:2 1/256 -128
3C 2 linear | Catalyst temperature B1S1 | CATEMP degC 0:2 1/10 -40
3D 2 linear | Catalyst temperature B2S1 | CATEMP degC 0:2 1/10 -40
3E 2 linear | Catalyst temperature B1S2 | CATEMP degC 0:2 1/10 -40
3F 2 linear | Catalyst temperature B2S2 | CATEMP degC 0:2 1/10 -40
40 4 bitmask | PIDs supported 41–60
41 4 bits | Monitor status this drive cycle | MIS_ENA 1.0:1; FUEL_ENA 1.1:1; CCM_ENA 1.2:1; MIS_INCOMPLETE 1.4:1; FUEL_INCOMPLETE 1.5:1; CCM_INCOMPLETE 1.6:1; COMPRESSION_IGNITION 1.3:1
42 2 linear | Control module voltage | VPWR V 0:2 1/1000
43 2 linear | Absolute load | LOAD_ABS % 0:2 100/255
44 2 linear | Commanded equivalence ratio | LAMBDA_CMD ratio 0:2 2/65536
45 1 linear | Relative throttle position | TP_R % 0:1 100/255
46 1 linear | Ambient air temperature | AAT degC 0:1 1/1 -40
47 1 linear | Throttle position B | TP_B % 0:1 100/255
48 1 linear | Throttle position C | TP_C % 0:1 100/255
49 1 linear | Accelerator pedal position D | APP_D % 0:1 100/255
4A 1 linear | Accelerator pedal position E | APP_E % 0:1 100/255
4B 1 linear | Accelerator pedal position F | APP_F % 0:1 100/255
4C 1 linear | Commanded throttle actuator | TAC_PCT % 0:1 100/255
4D 2 linear | Time run with MIL on | MIL_TIME min 0:2 1/1
4E 2 linear | Time since DTCs cleared | CLR_TIME min 0:2 1/1
4F 4 linear | Maximum values | MAX_LAMBDA ratio 0:1 1/1; MAX_O2V V 1:1 1/1; MAX_O2MA mA 2:1 1/1; MAX_MAP kPa 3:1 10/1
50 4 linear | Maximum MAF | MAX_MAF g/s 0:1 10/1
51 1 enum | Fuel type | FUEL_TYP 0
52 1 linear | Ethanol % | ALCH_PCT % 0:1 100/255
53 2 linear | Absolute EVAP pressure | EVAP_VPA kPa 0:2 1/200
54 2 linear | EVAP pressure (wide) | EVAP_VP_WIDE Pa 0:2s 1/1
55 2 linear | Short term secondary O2 trim, banks 1 and 3 | STSO2FT1 % 0:1 100/128 -100; STSO2FT1_BANK3_4 % 1:1 100/128 -100
56 2 linear | Long term secondary O2 trim, banks 1 and 3 | LGSO2FT1 % 0:1 100/128 -100; LGSO2FT1_BANK3_4 % 1:1 100/128 -100
57 2 linear | Short term secondary O2 trim, banks 2 and 4 | STSO2FT2 % 0:1 100/128 -100; STSO2FT2_BANK3_4 % 1:1 100/128 -100
58 2 linear | Long term secondary O2 trim, banks 2 and 4 | LGSO2FT2 % 0:1 100/128 -100; LGSO2FT2_BANK3_4 % 1:1 100/128 -100
59 2 linear | Fuel rail absolute pressure | FRP_ABS kPa 0:2 10/1
5A 1 linear | Relative accelerator position | APP_R % 0:1 100/255
5B 1 linear | Hybrid battery remaining | BAT_PWR % 0:1 100/255
5C 1 linear | Engine oil temperature | EOT degC 0:1 1/1 -40
5D 2 linear | Fuel injection timing | FUEL_TIMING deg 0:2 1/128 -210
5E 2 linear | Engine fuel rate | FUEL_RATE L/h 0:2 1/20
5F 1 enum | Emission requirements | EMIS_SUP 0
60 4 bitmask | PIDs supported 61–80
61 1 linear | Driver demand torque | TQ_DD % 0:1 1/1 -125
62 1 linear | Actual engine torque | TQ_ACT % 0:1 1/1 -125
63 2 linear | Engine reference torque | TQ_REF Nm 0:2 1/1
64 5 linear | Engine percent torque data | TQ_MAX1 % 0:1 1/1 -125; TQ_MAX2 % 1:1 1/1 -125; TQ_MAX3 % 2:1 1/1 -125; TQ_MAX4 % 3:1 1/1 -125; TQ_MAX5 % 4:1 1/1 -125
65 2 raw | Auxiliary inputs and outputs
66 5 linear | MAF sensors | MAFA g/s 1:2 1/32 ?0; MAFB g/s 3:2 1/32 ?1
67 3 linear | Coolant temperature sensors | ECT1 degC 1:1 1/1 -40 ?0; ECT2 degC 2:1 1/1 -40 ?1
68 7-3 linear | Intake air temperature sensors | IAT1 degC 1:1 1/1 -40 ?0; IAT2 degC 2:1 1/1 -40 ?1; IAT3 degC 3:1 1/1 -40 ?2; IAT4 degC 4:1 1/1 -40 ?3; IAT5 degC 5:1 1/1 -40 ?4; IAT6 degC 6:1 1/1 -40 ?5
69 7 linear | EGR command/error | EGR_A_CMD % 1:1 100/255 ?0; EGR_A_ACT % 2:1 100/255 ?1; EGR_A_ERR % 3:1 100/128 -100 ?2; EGR_B_CMD % 4:1 100/255 ?3; EGR_B_ACT % 5:1 100/255 ?4; EGR_B_ERR % 6:1 100/128 -100 ?5
6A 5 raw | Commanded diesel intake air flow
6B 5 raw | Exhaust gas recirculation temperature
6C 5 linear | Throttle actuators | TAC_A_CMD % 1:1 100/255 ?0; TP_A_REL % 2:1 100/255 ?1; TAC_B_CMD % 3:1 100/255 ?2; TP_B_REL % 4:1 100/255 ?3
6D 11 raw | Fuel pressure control
6E 9 raw | Injection pressure control
6F 3 raw | Turbocharger compressor inlet pressure
70 10 linear | Boost pressure control | BP_A_CMD kPa 1:2 1/32 ?0; BP_A_ACT kPa 3:2 1/32 ?1; BP_B_CMD kPa 5:2 1/32 ?3; BP_B_ACT kPa 7:2 1/32 ?4
71 6 raw | Variable geometry turbo control
72 5 linear | Wastegate | WG_A_CMD % 1:1 100/255 ?0; WG_A_ACT % 2:1 100/255 ?1; WG_B_CMD % 3:1 100/255 ?2; WG_B_ACT % 4:1 100/255 ?3
73 5 raw | Exhaust pressure
74 5 raw | Turbocharger speed
75 7 raw | Turbocharger A temperature
76 7 raw | Turbocharger B temperature
77 5 raw | Charge air cooler temperature
78 9 linear | Exhaust gas temperature bank | EGT11 degC 1:2 1/10 -40 ?0; EGT12 degC 3:2 1/10 -40 ?1; EGT13 degC 5:2 1/10 -40 ?2; EGT14 degC 7:2 1/10 -40 ?3
79 9 linear | Exhaust gas temperature bank | EGT21 degC 1:2 1/10 -40 ?0; EGT22 degC 3:2 1/10 -40 ?1; EGT23 degC 5:2 1/10 -40 ?2; EGT24 degC 7:2 1/10 -40 ?3
7A 7 raw | Particulate filter bank 1
7B 7 raw | Particulate filter bank 2
7C 9 linear | DPF temperature | DPF1 degC 1:2 1/10 -40 ?0; DPF2 degC 3:2 1/10 -40 ?1; DPF3 degC 5:2 1/10 -40 ?2; DPF4 degC 7:2 1/10 -40 ?3
7D 1 raw | NOx NTE control area status
7E 1 raw | PM NTE control area status
7F 13 linear | Engine run time | RUN_TIME s 1:4 1/1 ?0; IDLE_TIME s 5:4 1/1 ?1; PTO_TIME s 9:4 1/1 ?2
80 4 bitmask | PIDs supported 81–A0
81 41 raw | Engine run time for AECD 1–5
82 41 raw | Engine run time for AECD 6–10
83 9 raw | NOx sensor
84 1 linear | Manifold surface temperature | MST degC 0:1 1/1 -40
85 10 raw | NOx reagent system
86 5 raw | Particulate matter sensor
87 5 raw | Intake manifold absolute pressure
88 13 raw | SCR inducement system
89 41 raw | Engine run time for AECD 11–15
8A 41 raw | Engine run time for AECD 16–20
8B 7 raw | Diesel aftertreatment
8C 17 raw | O2 sensors, wide range
8D 1 linear | Throttle position G | TP_G % 0:1 100/255
8E 1 linear | Engine friction torque | TQ_FR % 0:1 1/1 -125
8F 7 raw | Particulate matter sensor output
90 3 raw | WWH-OBD vehicle information
91 5 raw | WWH-OBD control unit information
92 2 raw | Fuel system control
93 3 raw | WWH-OBD vehicle counters
94 12 raw | NOx warning and inducement
98 9 raw | Exhaust gas temperature sensor bank 1
99 9 raw | Exhaust gas temperature sensor bank 2
9A 6 raw | Hybrid and electric vehicle system data
9B 4 raw | Diesel exhaust fluid sensor data
9C 17 raw | O2 sensor data
9D 4 linear | Fuel rate (mass) | ENG_FUEL_RATE g/s 0:2 1/50; VEH_FUEL_RATE g/s 2:2 1/50
9E 2 linear | Exhaust flow | EXH_RATE kg/h 0:2 1/5
9F 9 raw | Fuel system percentage use
A0 4 bitmask | PIDs supported A1–C0
A1 9 raw | NOx sensor corrected data
A2 2 linear | Cylinder fuel rate | CYL_RATE mg/stroke 0:2 1/32
A3 9 raw | Evaporative system vapour pressure
A4 4 linear | Transmission actual gear | GEAR_RATIO ratio 2:2 1/1000 ?1
A5 4 linear | Commanded DEF dosing | DEF_CMD % 1:1 1/2 ?0
A6 4 linear | Odometer | ODO km 0:4 1/10
A9 1 bits | ABS disable switch
C0 4 bitmask | PIDs supported C1–E0
`;
