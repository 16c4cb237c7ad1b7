"""Words of annual reports and of other documents, for generated tables and sentences.

Nothing here is taken from a report: labels are general terms of accounting, and names are invented.
"""

COMPANY_FIRST = (
    "Aldervane Amberlock Ashcombe Avenmoor Balderton Barrowick Bellhaven Birchmoor Blackfen Bluemarsh Brackwell Brightholm "
    "Calderon Carrowby Castlemere Cedarholt Cinderford Clearhaven Coldbrook Corvane Cranmoor Dalewick Danvers Deepmere Dunhollow "
    "Eastmarch Elderfield Elmsworth Emberley Fairhollow Falconbridge Fernhill Foxglen Galloway Glenmarrow Goldcrest Granholm "
    "Greyfell Halden Harrowgate Hartwell Hazelmere Highmoor Holloway Ironvale Ivybridge Juniper Kestrel Kingsmere Kirkfell "
    "Lakeshore Larkspur Linden Longacre Lumen Marlowe Meadowbank Meridian Millbrook Moorgate Nordhavn Northgate Oakridge Orchard "
    "Pellworth Pinecrest Quarry Quillan Ravensworth Redfern Ridgeway Rookwood Saltmarsh Seagrave Silverton Solveig Stonebridge "
    "Summerfield Tallis Thornbury Tidewater Umberland Valemont Vantris Verdane Wavecrest Westmark Whitlock Wildmere Windrush Wolfram "
    "Yarrow Zenith Arctus Novalith Helvane Orsted-Lyng Kalmar Tarn Bexley Corriston Delmont Everlund Finmere"
).split()
COMPANY_FIELD = (
    "Industries Holdings Group Technologies Foods Energy Pharma Logistics Networks Materials Systems Brands Marine Semiconductor "
    "Retail Financial Software Airlines Mining Chemicals Health Biosciences Media Motors Instruments Partners Resources Packaging "
    "Utilities Communications Robotics Insurance Properties Outfitters Beverages Paper Steel Aerospace"
).split()
COMPANY_FORM = ("Inc.", "plc", "AG", "Ltd", "Corporation", "S.A.", "N.V.", "Co.", "Inc", "Limited", "SE", "ASA", "")

PEOPLE_FIRST = (
    "Anna Peter Maria John Ingrid Thomas Claire David Elena Martin Sofia Robert Helen Marcus Julia Andrew Nadia Stephen Priya "
    "Daniel Laura Kenji Olivia Paul Fatima George Hannah Victor Grace Samuel Yuki Carlos Emma Henrik Amara Leon"
).split()
PEOPLE_LAST = (
    "Ashdown Bergman Calloway Drayton Eklund Farrow Granger Hollis Iverson Jansson Keller Lindqvist Moreau Novak Okafor Pemberton "
    "Quigley Rossi Sandoval Thackeray Ueda Vance Whitaker Yates Zimmer Abara Bright Castellan Dimitrov Engel Fontaine Haddad"
).split()
ROLES = (
    "Chief Executive Officer", "Chief Financial Officer", "Chief Operating Officer", "General Counsel", "Chief Technology Officer",
    "Chief Marketing Officer", "Executive Vice President, Sales", "Non-executive Director", "Chair of the Board", "Treasurer",
    "Senior Vice President, Human Resources", "President, International", "Chief Information Officer", "Company Secretary",
)
CITIES = (
    "Boston", "Leeds", "Hamburg", "Oslo", "Lyon", "Austin", "Toronto", "Osaka", "Singapore", "Zurich", "Denver", "Dublin", "Porto", "Gothenburg",
    "Milan", "Seattle", "Pune", "Melbourne", "Rotterdam", "Chicago", "Bristol", "Antwerp", "Helsinki", "Auckland", "Cape Town", "São Paulo",
)
COUNTRIES = (
    "United States", "United Kingdom", "Germany", "France", "Japan", "China", "Canada", "India", "Australia", "Brazil", "Mexico", "Netherlands", "Spain",
    "Italy", "Sweden", "Norway", "Poland", "South Korea", "Ireland", "Switzerland", "Singapore", "South Africa",
)
REGIONS = (
    "North America", "EMEA", "Asia Pacific", "Latin America", "Europe", "Middle East and Africa", "Americas", "Rest of world", "United States",
    "International", "Greater China", "Nordics", "United Kingdom and Ireland", "Japan", "Other Americas", "Domestic", "Southern Europe", "Asia",
)
SEGMENTS = (
    "Cloud Services", "Consumer Products", "Industrial", "Healthcare", "Hardware", "Software", "Professional Services", "Licensing", "Wholesale",
    "Retail", "Energy", "Aerospace", "Automotive", "Packaging", "Specialty Chemicals", "Media", "Networks", "Payments", "Insurance", "Logistics",
    "Foodservice", "Beverages", "Snacks", "Frozen Foods", "Devices", "Subscriptions", "Advertising", "Marine", "Power Systems", "Mining",
    "Diagnostics", "Vaccines", "Oncology", "Home Care", "Beauty", "Data Center", "Wireless", "Wireline", "Commercial", "Residential", "Corporate",
)
PRODUCTS = (
    "Product", "Service", "Maintenance and support", "Subscription", "License", "Hardware", "Consulting", "Royalties", "Freight", "Rental", "Advertising",
    "Membership fees", "Spare parts", "Training", "Hosting", "Installation", "Tickets", "Concessions",
)

# Label, and other names of it in questions.
SPOKEN = {
    "revenue": ("Revenue", "Revenues", "Net sales", "Total revenue", "Total revenues", "Net revenue", "Sales", "Total net sales", "Turnover"),
    "cost of sales": ("Cost of sales", "Cost of revenue", "Cost of goods sold", "Total cost of revenues", "Cost of products sold"),
    "gross profit": ("Gross profit", "Gross margin", "Total gross profit"),
    "research and development": ("Research and development", "Research and development expenses", "Research, development and engineering"),
    "sales and marketing": ("Sales and marketing", "Selling and marketing", "Marketing and sales expenses"),
    "general and administrative": ("General and administrative", "General and administrative expenses", "Administrative expenses"),
    "sg&a": ("Selling, general and administrative", "Selling, general and administrative expenses", "SG&A expenses"),
    "depreciation and amortization": ("Depreciation and amortization", "Depreciation, amortization and accretion", "Depreciation and amortisation"),
    "restructuring": ("Restructuring charges", "Restructuring and other charges", "Restructuring costs"),
    "impairment": ("Impairment of goodwill", "Goodwill impairment", "Impairment charges"),
    "operating expenses": ("Total operating expenses", "Operating expenses", "Total costs and expenses"),
    "operating income": ("Operating income", "Income from operations", "Operating profit", "Operating income (loss)"),
    "interest expense": ("Interest expense", "Finance costs", "Interest expense, net"),
    "interest income": ("Interest income", "Finance income", "Interest and investment income"),
    "other income": ("Other income (expense), net", "Other expense, net", "Other income, net"),
    "income before taxes": ("Income before income taxes", "Profit before tax", "Earnings before income taxes", "Income (loss) before taxes"),
    "income taxes": ("Provision for income taxes", "Income tax expense", "Income taxes", "Taxation"),
    "net income": ("Net income", "Net earnings", "Profit for the year", "Net income (loss)", "Net profit"),
    "basic eps": ("Basic earnings per share", "Earnings per share – basic", "Basic net income per share"),
    "diluted eps": ("Diluted earnings per share", "Earnings per share – diluted", "Diluted net income per share"),
    "dividends per share": ("Dividends per share", "Cash dividends declared per share", "Dividend per ordinary share"),
    "basic shares": ("Weighted average shares – basic", "Basic weighted average shares outstanding"),
    "diluted shares": ("Weighted average shares – diluted", "Diluted weighted average shares outstanding"),
    "cash": ("Cash and cash equivalents", "Cash", "Cash and bank balances", "Cash, cash equivalents and restricted cash"),
    "short-term investments": ("Short-term investments", "Marketable securities", "Short-term marketable securities"),
    "receivables": ("Accounts receivable, net", "Trade receivables", "Receivables", "Trade and other receivables"),
    "inventories": ("Inventories", "Inventories, net", "Inventory", "Total inventories"),
    "prepaid": ("Prepaid expenses and other current assets", "Prepaid expenses", "Other current assets"),
    "current assets": ("Total current assets", "Current assets, total"),
    "property": ("Property, plant and equipment, net", "Property and equipment, net", "Property, plant and equipment"),
    "right of use": ("Operating lease right-of-use assets", "Right-of-use assets"),
    "goodwill": ("Goodwill",),
    "intangibles": ("Intangible assets, net", "Other intangible assets", "Intangible assets"),
    "deferred tax assets": ("Deferred tax assets", "Deferred income taxes"),
    "other assets": ("Other assets", "Other non-current assets"),
    "total assets": ("Total assets",),
    "payables": ("Accounts payable", "Trade payables", "Trade and other payables"),
    "accrued": ("Accrued liabilities", "Accrued expenses and other current liabilities", "Accrued expenses"),
    "deferred revenue": ("Deferred revenue", "Contract liabilities", "Unearned revenue"),
    "current debt": ("Current portion of long-term debt", "Short-term borrowings", "Current maturities of long-term debt"),
    "current liabilities": ("Total current liabilities",),
    "long-term debt": ("Long-term debt", "Long-term debt, net of current portion", "Non-current borrowings"),
    "lease liabilities": ("Operating lease liabilities", "Lease liabilities"),
    "other liabilities": ("Other long-term liabilities", "Other non-current liabilities", "Provisions"),
    "total liabilities": ("Total liabilities",),
    "common stock": ("Common stock", "Share capital", "Ordinary shares"),
    "paid-in capital": ("Additional paid-in capital", "Share premium"),
    "retained earnings": ("Retained earnings", "Accumulated deficit", "Retained earnings (accumulated deficit)"),
    "oci": ("Accumulated other comprehensive loss", "Other reserves", "Accumulated other comprehensive income (loss)"),
    "treasury": ("Treasury stock", "Treasury shares"),
    "equity": ("Total stockholders' equity", "Total shareholders' equity", "Total equity", "Shareholders' funds"),
    "liabilities and equity": ("Total liabilities and stockholders' equity", "Total liabilities and equity"),
    "stock-based compensation": ("Stock-based compensation", "Share-based compensation expense", "Share-based payments"),
    "operating cash": ("Net cash provided by operating activities", "Cash flows from operating activities", "Net cash from operations"),
    "capex": ("Capital expenditures", "Purchases of property and equipment", "Additions to property, plant and equipment"),
    "acquisitions": ("Acquisitions, net of cash acquired", "Payments for acquisitions"),
    "investing cash": ("Net cash used in investing activities", "Cash flows from investing activities"),
    "debt proceeds": ("Proceeds from issuance of debt", "Proceeds from borrowings"),
    "debt repayment": ("Repayments of debt", "Repayment of borrowings", "Payments on long-term debt"),
    "repurchases": ("Repurchases of common stock", "Purchase of own shares", "Share repurchases"),
    "dividends paid": ("Dividends paid", "Payment of dividends"),
    "financing cash": ("Net cash used in financing activities", "Cash flows from financing activities"),
    "fx effect": ("Effect of exchange rate changes on cash", "Effect of foreign exchange on cash"),
    "cash change": ("Net increase (decrease) in cash", "Net change in cash and cash equivalents"),
    "free cash flow": ("Free cash flow", "Adjusted free cash flow"),
    "ebitda": ("EBITDA", "Adjusted EBITDA", "Underlying EBITDA"),
}

# Schedules: the subject of the rows, the total, the name of a row, labels, kind of values, signs.
SCHEDULES = (
    ("inventories", "Inventories", "component of inventory", ("Raw materials", "Work in process", "Finished goods", "Spare parts", "Packaging supplies", "Goods in transit", "Reserve for obsolescence"), "instant"),
    ("property and equipment, gross", "Property and equipment", "category of property", ("Land", "Buildings and improvements", "Machinery and equipment", "Furniture and fixtures", "Leasehold improvements", "Computer equipment and software", "Vehicles", "Construction in progress", "Tooling"), "instant"),
    ("accrued liabilities", "Accrued liabilities", "accrued liability", ("Accrued payroll and benefits", "Accrued interest", "Warranty reserve", "Customer deposits", "Sales returns reserve", "Accrued advertising", "Accrued professional fees", "Income taxes payable", "Other accrued liabilities"), "instant"),
    ("total debt", "Debt", "debt instrument", ("Revolving credit facility", "Term loan A", "Term loan B", "Senior notes due 2025", "4.50% notes due 2027", "Convertible notes", "Finance lease obligations", "Mortgage loans", "Commercial paper", "Other borrowings"), "instant"),
    ("total stock-based compensation expense", "Stock-based compensation expense", "line", ("Cost of product revenue", "Cost of service revenue", "Research and engineering", "Selling expenses", "Administrative functions", "Customer support"), "duration"),
    ("total income tax expense", "Components of income tax", "tax component", ("Current: Federal", "Current: State", "Current: Foreign", "Deferred: Federal", "Deferred: State", "Deferred: Foreign"), "duration"),
    ("total deferred tax assets", "Deferred tax assets", "deferred tax asset", ("Net operating loss carryforwards", "Research credits", "Accrued compensation", "Stock compensation", "Reserves and accruals", "Lease liability timing", "Foreign tax credits", "Capitalized research costs"), "instant"),
    ("net intangible assets", "Intangible assets", "intangible asset", ("Customer relationships", "Developed technology", "Trade names", "Patents", "Non-compete agreements", "Licences", "Backlog", "Software"), "instant"),
    ("total audit and other fees", "Principal accountant fees", "fee", ("Audit fees", "Audit-related fees", "Tax fees", "All other fees"), "duration"),
    ("total lease cost", "Lease cost", "lease cost component", ("Operating lease cost", "Short-term lease cost", "Variable lease cost", "Amortization of leased assets", "Interest on lease liabilities", "Sublease income"), "duration"),
    ("net periodic benefit cost", "Net periodic benefit cost", "cost component", ("Service cost", "Interest cost", "Expected return on plan assets", "Amortization of prior service cost", "Settlement loss", "Recognized actuarial loss"), "duration"),
    ("total other income (expense), net", "Other income and expense", "item", ("Foreign exchange gain (loss)", "Gain on sale of investments", "Interest on deposits", "Loss on extinguishment of debt", "Equity in earnings of affiliates", "Rental income"), "duration"),
    ("total restructuring charges", "Restructuring", "restructuring item", ("Severance and benefits", "Facility closures", "Asset write-downs", "Contract terminations", "Relocation", "Consulting fees"), "duration"),
    ("total personnel expenses", "Personnel expenses", "personnel expense", ("Wages and salaries", "Social security contributions", "Pension costs", "Share-based remuneration", "Temporary staff", "Other staff costs"), "duration"),
    ("total contractual obligations", "Contractual obligations", "obligation", ("Long-term debt obligations", "Interest payments", "Operating lease obligations", "Purchase commitments", "Pension contributions", "Capital commitments"), "instant"),
    ("total other receivables", "Other receivables", "receivable", ("VAT recoverable", "Deposits", "Amounts due from related parties", "Insurance claims", "Employee advances", "Sundry debtors"), "instant"),
    ("total financial liabilities", "Financial liabilities", "financial liability", ("Bank overdrafts", "Bank loans", "Derivative financial instruments", "Deferred consideration", "Bonds", "Loan notes"), "instant"),
    ("total investments", "Investments", "type of security", ("Corporate bonds", "U.S. treasury securities", "Money market funds", "Certificates of deposit", "Municipal bonds", "Asset-backed securities", "Equity securities"), "instant"),
    ("total distribution costs", "Distribution costs", "cost", ("Fuel", "Haulage", "Warehousing", "Port charges", "Vehicle maintenance", "Tolls"), "duration"),
)

PERCENT_ROWS = (
    ("Key ratios", (("Gross margin", "gross margin"), ("Operating margin", "operating margin"), ("Net margin", "net margin"), ("Return on equity", "return on equity"), ("Return on capital employed", "return on capital employed"), ("Dividend payout ratio", "dividend payout ratio"), ("Net debt to equity", "net debt to equity"))),
    ("Tax rate reconciliation", (("Statutory federal rate", "statutory federal rate"), ("State taxes, net of federal benefit", "state taxes"), ("Foreign rate differential", "foreign rate differential"), ("Research credits", "effect of research credits"), ("Non-deductible expenses", "effect of non-deductible expenses"), ("Change in valuation allowance", "change in valuation allowance"), ("Effective tax rate", "effective tax rate"))),
    ("Pension assumptions", (("Discount rate", "discount rate"), ("Rate of compensation increase", "rate of compensation increase"), ("Expected long-term return on plan assets", "expected return on plan assets"), ("Inflation rate", "inflation rate"))),
    ("Valuation assumptions for options granted", (("Risk-free interest rate", "risk-free interest rate"), ("Expected volatility", "expected volatility"), ("Dividend yield", "dividend yield"), ("Forfeiture rate", "forfeiture rate"))),
    ("As a percentage of net revenue", (("Cost of revenue", "cost of revenue as a percentage of net revenue"), ("Product development", "product development as a percentage of net revenue"), ("Marketing", "marketing as a percentage of net revenue"), ("Administration", "administration as a percentage of net revenue"), ("Income from operations", "income from operations as a percentage of net revenue"))),
)

COUNT_TABLES = (
    ("Employees by region", "employees", "region", REGIONS, "Total employees"),
    ("Employees by function", "employees", "function", ("Research and development", "Sales and marketing", "Manufacturing", "Operations", "Administration", "Customer support", "Supply chain"), "Total headcount"),
    ("Number of stores", "stores", "country", COUNTRIES, "Total stores"),
    ("Fleet", "vessels", "vessel type", ("Tankers", "Bulk carriers", "Container ships", "Ferries", "Offshore vessels", "Car carriers"), "Total vessels"),
    ("Patents held", "patents", "field", ("Sensors", "Batteries", "Coatings", "Optics", "Software methods", "Packaging design"), "Total patents"),
    ("Subscribers (in thousands)", "subscribers", "service", ("Prepaid", "Postpaid", "Broadband", "Television", "Fixed voice", "Internet of things"), "Total subscribers"),
    ("Restaurants at year end", "restaurants", "type", ("Company-operated", "Franchised", "Licensed", "Joint venture"), "Systemwide restaurants"),
    ("Students enrolled", "students", "faculty", ("Engineering", "Medicine", "Law", "Humanities", "Natural Sciences", "Economics", "Education"), "Total students"),
    ("Visitors", "visitors", "museum", ("Harbour Museum", "City Gallery", "Science Centre", "Old Fort", "Botanical Garden", "Railway Museum"), "Total visitors"),
    ("Patients treated", "patients", "ward", ("Cardiology", "Orthopaedics", "Paediatrics", "Oncology", "Emergency", "Maternity"), "All patients"),
    ("Stock options outstanding (in thousands)", "options", "group", ("Directors", "Executive officers", "Employees", "Consultants"), "Total options"),
)

# Indicator, unit, size, number of decimals.
ESG = (
    ("Scope 1 emissions", "tCO2e", 90000, 0), ("Scope 2 emissions (market-based)", "tCO2e", 60000, 0), ("Scope 2 emissions (location-based)", "tCO2e", 75000, 0),
    ("Scope 3 emissions", "tCO2e", 900000, 0), ("Total energy consumption", "MWh", 400000, 0), ("Renewable electricity", "MWh", 120000, 0),
    ("Water withdrawal", "m3", 800000, 0), ("Water recycled", "m3", 90000, 0), ("Hazardous waste", "tonnes", 3000, 0), ("Non-hazardous waste", "tonnes", 20000, 0),
    ("Waste recycled", "tonnes", 12000, 0), ("Lost time injury rate", "per million hours", 2, 2), ("Fatalities", "number", 3, 0), ("Training hours per employee", "hours", 20, 1),
    ("Women in management", "%", 30, 1), ("Employee turnover", "%", 12, 1), ("Renewable share of electricity", "%", 50, 1), ("NOx emissions", "tonnes", 400, 1),
    ("SO2 emissions", "tonnes", 150, 1), ("Suppliers audited", "number", 200, 0), ("Carbon intensity", "tCO2e per million of revenue", 40, 1), ("Natural gas", "MWh", 90000, 0), ("Diesel", "MWh", 30000, 0),
)

KPIS = (
    ("Average revenue per user", 45, 2, "other"), ("Churn rate", 2, 2, "percent"), ("Same-store sales growth", 4, 1, "percent"), ("Average selling price", 320, 2, "other"),
    ("Units shipped (in thousands)", 5200, 0, "other"), ("Occupancy", 85, 1, "percent"), ("Load factor", 80, 1, "percent"), ("Production (thousand tonnes)", 900, 0, "other"),
    ("Average daily rate", 140, 2, "other"), ("Order backlog", 1800, 0, "other"), ("Net retention rate", 108, 0, "percent"), ("Orders received", 2400, 0, "other"),
    ("Passengers carried (in thousands)", 7600, 0, "other"), ("Net promoter score", 42, 0, "other"), ("Market share", 18, 1, "percent"), ("On-time delivery", 93, 1, "percent"),
)

SURVEY = (
    ("Very satisfied", "Somewhat satisfied", "Not too satisfied", "Not at all satisfied"), ("Every day", "Several times a week", "Once a week", "Less often", "Never"),
    ("A great deal", "A fair amount", "Not too much", "None at all"), ("Strongly agree", "Agree", "Neither", "Disagree", "Strongly disagree"),
    ("Excellent", "Good", "Fair", "Poor"), ("Radio", "Newspapers", "Television", "Websites", "Friends and family", "Podcasts"),
    ("Bus", "Train", "Bicycle", "Car", "On foot"), ("Cost", "Quality", "Distance", "Habit", "Advice of others"),
)
GROUPS = ("All", "Men", "Women", "Ages 18–29", "Ages 30–49", "Ages 50–64", "65 and older", "Urban", "Rural", "College graduates", "Parents", "Renters", "Owners")

METHODS = ("Baseline", "BM-Lex", "DenseNet-R", "GraphMatch", "TreeTagger", "LinkFormer", "RuleSet", "MiniEnc", "WideTab", "SparseFlow", "Ours (small)", "Ours (large)", "PolyNet", "CascadeX", "Ensemble", "Random")
DATASETS = ("Harbor-1k", "NewsSpan", "OpenForms", "ReceiptBank", "MapQA-s", "DocLines", "TableBits", "ChartLab", "WikiFacts", "LegalMini", "MedNotes", "CodeSeek")
METRICS = ("Accuracy", "Precision", "Recall", "F1", "EM", "MRR", "nDCG@10", "BLEU", "Latency (ms)", "Parameters (M)")

REASONS = (
    "higher volumes in {region}", "lower raw material costs", "the acquisition of {other}", "unfavorable foreign exchange movements", "increased headcount",
    "price increases implemented during the year", "the closure of the {city} plant", "higher freight and logistics costs", "strong demand for {segment} products",
    "a one-time legal settlement", "lower interest rates on borrowings", "the timing of customer payments", "supply chain disruptions", "new store openings",
    "a decrease in professional fees", "amortization of acquired intangible assets", "the adoption of the new lease accounting standard", "lower marketing spend",
    "the loss of a major customer", "growth in recurring subscriptions", "the weakening of the euro", "cost savings from the restructuring program", "milder weather",
    "an increase in stock-based compensation", "the release of a valuation allowance", "higher energy prices", "improved product mix",
)
FILLERS = (
    "Management reviews these estimates on a regular basis.", "Actual results could differ materially from those anticipated.",
    "The amounts are presented on a consolidated basis.", "Certain prior-period amounts have been reclassified to conform to the current presentation.",
    "Further details are provided in the notes to the consolidated financial statements.", "We believe that our liquidity is sufficient for the foreseeable future.",
    "The Board considers this measure useful to investors.", "These figures are unaudited.", "Intercompany balances have been eliminated.",
    "The Company operates in a highly competitive market.", "No single customer accounted for more than 10% of sales.", "Fair values are determined using observable inputs where available.",
    "Our strategy remains focused on long-term value creation.", "Seasonality affects our results from quarter to quarter.", "The policy is applied consistently across all reporting units.",
    "We continue to monitor developments closely.", "All per-share data reflect the share split.", "The table above excludes discontinued operations.",
)
