from fineprint import main

main()
